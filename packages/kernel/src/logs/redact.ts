import type { Json } from "@harness/protocol"
import type { Environment } from "../config/home.ts"

/** What stands in a local log where a secret stood. */
const REDACTED = "[redacted]"

/**
 * Takes secrets out of texts for the local logs: keys by their known shapes, credentials in
 * addresses and headers, the exact values of the variables whose names say that they are secret, and
 * `others`.
 *
 * @example
 * const redact = createRedactor(process.env)
 * redact("401 for key sk-proj-abcdefghijklmnopqrstuvwx") // "401 for key [redacted]"
 */
export function createRedactor(
  env: Environment,
  others: readonly string[] = [],
): (text: string) => string {
  const exact = formsOf([...secretValues(env), ...others])
  return text => redactShapes(exact.reduce((kept, value) => kept.replaceAll(value, REDACTED), text))
}

/** The same for every string of a value, keys too. */
export function redactAll(value: Json, redact: (text: string) => string): Json {
  if (typeof value === "string") return redact(value)
  if (Array.isArray(value)) return value.map(item => redactAll(item, redact))
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => [
    redact(key),
    redactAll(inner, redact),
  ])
  return Object.fromEntries(entries)
}

const secretName = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i

/** A shorter value would take half of a sentence away, and is no secret that holds. */
const leastSecretCharacters = 8

function secretValues(env: Environment): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value.length >= leastSecretCharacters && secretName.test(name)
      ? [value]
      : [],
  )
}

/** The values as they are and as they stand in JSON, in an address and in base64; longest first. */
function formsOf(values: readonly string[]): string[] {
  const forms = values.flatMap(value => [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value.toWellFormed()),
    Buffer.from(value).toString("base64"),
  ])
  return [...new Set(forms)].sort((a, b) => b.length - a.length)
}

function redactShapes(text: string): string {
  return named.reduce((kept, { shape, by }) => kept.replace(shape, by), withoutKeys(text))
}

/** All are looked for in the text as it is: a key may hold what looks like a part of another one. */
function withoutKeys(text: string): string {
  const found = keys
    .flatMap(shape => [...text.matchAll(shape)])
    .map(({ index, 0: { length } }) => ({ from: index, to: index + length }))
    .sort((one, other) => one.from - other.from)

  let kept = ""
  let end = 0
  for (const { from, to } of found) {
    if (from >= end) kept += text.slice(end, from) + REDACTED
    end = Math.max(end, to)
  }
  return kept + text.slice(end)
}

/** Keys by themselves. Each is linear in the text, so that a long one costs no more than its length. */
const keys: readonly RegExp[] = [
  // A block that is cut off is redacted to the end of the text.
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  // OpenAI, Anthropic and who copies their form; Stripe's with an underscore.
  /(?<![A-Za-z])[sr]k[-_][A-Za-z0-9][A-Za-z0-9_-]{14,}/g,
  /A[KSB]IA[A-Z0-9]{16}/g,
  /gh[a-z]_[A-Za-z0-9]{20,}/g,
  /github_pat_[A-Za-z0-9_]{20,}/g,
  /gl[a-z]{2,6}-[A-Za-z0-9_-]{20,}/g,
  /xox[a-z]-[A-Za-z0-9-]{10,}/g,
  /xapp-[A-Za-z0-9-]{10,}/g,
  /AIza[A-Za-z0-9_-]{30,}/g,
  /ya29\.[A-Za-z0-9_-]{20,}/g,
  /npm_[A-Za-z0-9]{30,}/g,
  /hf_[A-Za-z0-9]{20,}/g,
  /pypi-[A-Za-z0-9_-]{20,}/g,
  // JSON Web Tokens: two parts of base64 that begin as `{"`, then a signature that may be empty.
  /eyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?/g,
]

type Shape = { shape: RegExp; by: string }

/** What stands beside its name. */
const named: readonly Shape[] = [
  { shape: /\b(Bearer|Basic)(\s+)[A-Za-z0-9._~+/=-]{8,}/gi, by: `$1$2${REDACTED}` },
  { shape: /\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#"'<>]{1,1000}@/gi, by: `$1${REDACTED}@` },
  // `api_key=…`, `"x-api-key": "…"`, `password: …`
  {
    shape:
      /((?:api[-_]?key|access[-_]?key|auth[-_]?token|access[-_]?token|client[-_]?secret|secret|password|passwd|authorization)["']?\s{0,4}[:=]\s{0,4}["']?)(?!\[redacted\]|Bearer\b|Basic\b)[^\s"',;&}]{6,}/gi,
    by: `$1${REDACTED}`,
  },
]
