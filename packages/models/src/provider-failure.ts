import { APICallError } from "@ai-sdk/provider"
import { failure, type HarnessFailure } from "@harness/protocol"
import { certificateFault } from "./certificate.ts"
import { contextOverflowIn } from "./context-overflow.ts"
import { BrokenStream, CutStream } from "./events.ts"
import { causesOf, innermostCause, mayPass, retryAfterMs, wasNeverTaken } from "./passing-faults.ts"
import { explainProxy, ProxyFault } from "./proxy-fault.ts"

/** What is known of the request that failed. */
export type FailedRequest = {
  provider: string
  model: string
  refusedHint?: string
  urlVariable?: string
  secrets?: readonly string[]
  /** Some of the reply had come. */
  outputBegun: boolean
  /** How often it was made. */
  tries: number
  nowMs: number
}

export type FailedReply = {
  failure: HarnessFailure
  reason: string
  /** Null when the request must not be made again. */
  again: { retryAfterMs: number | null } | null
  /** It was refused, or never reached a server. */
  unbilled: boolean
}

const reasonLimitCharacters = 500

/**
 * Anything thrown on the way to a model's reply as `provider_failed`: what the server said, and what
 * the reader can do. Neither the request's content nor a secret is in it.
 */
export function providerFailure(error: unknown, request: FailedRequest): FailedReply {
  const { secrets = [], outputBegun, tries, nowMs } = request
  const { reason, hint } = explain(error, request)
  // The sentence around the reason brings its own full stop.
  const said = clean(reason, secrets).replace(/\.$/, "")
  const overflow = contextOverflowIn(error)
  const retryable = overflow === null && (error instanceof CutStream || mayPass(error))
  const afterMs = retryAfterMs(error, nowMs)
  const unbilled = wasNeverTaken(error)

  return {
    reason: said,
    unbilled,
    again: retryable && !outputBegun ? { retryAfterMs: afterMs } : null,
    failure: failure("provider_failed", {
      provider: request.provider,
      model: request.model,
      reason: tries > 1 ? `${said} (the last of ${tries} tries)` : said,
      hint: overflow === null ? clean(hint, secrets) : tooLong,
      retryable,
      retry_after_ms: afterMs,
      output_begun: outputBegun,
      unbilled,
      ...(overflow !== null && { context_overflow: true, context_tokens: overflow.contextTokens }),
    }),
  }
}

const tooLong =
  "The conversation is larger than the model's window: tell harness the window by models.<provider/model>.context_tokens in config.jsonc, and it makes room in time."

type Explanation = { reason: string; hint: string }

const again = "Nothing of the unfinished reply was carried out; go on with the task to ask again."

function explain(error: unknown, request: FailedRequest): Explanation {
  if (error instanceof BrokenStream) {
    const said = error.cause === undefined ? error.message : sentenceOf(error.cause)
    return { reason: said, hint: again }
  }
  if (!APICallError.isInstance(error)) return { reason: sentenceOf(error), hint: again }

  const { statusCode } = error
  if (statusCode === undefined) return explainUnreachable(error, request)
  if (statusCode < 300) {
    return { reason: `the connection broke in the reply (${rootOf(error)})`, hint: again }
  }
  return {
    reason: `HTTP ${statusCode}: ${saidBy(error)}`,
    hint: hintFor(statusCode, error, request),
  }
}

function explainUnreachable(error: APICallError, { urlVariable }: FailedRequest): Explanation {
  const certificate = certificateFault(innermostCause(error))
  if (certificate !== undefined) {
    return {
      ...certificate,
      reason: `${placeOf(error)} could not be trusted: ${certificate.reason}`,
    }
  }

  const proxyFault = causesOf(error).find(cause => cause instanceof ProxyFault)
  if (proxyFault !== undefined) {
    const { reason, hint } = explainProxy(proxyFault, rootOf(error))
    return { reason: `${placeOf(error)} could not be reached ${reason}`, hint }
  }

  const also = urlVariable === undefined ? "" : ` and ${urlVariable} is right`
  return {
    reason: `${placeOf(error)} could not be reached (${rootOf(error)})`,
    hint: `Check that the server runs${also}.`,
  }
}

function hintFor(status: number, error: APICallError, request: FailedRequest): string {
  if (status < 400) {
    const target = error.responseHeaders?.location ?? "another place"
    return `${placeOf(error)} redirects to ${target}, which is not followed: give that base URL.`
  }
  if (status === 401 || status === 403) {
    return request.refusedHint ?? "Check the key: the server does not accept it for this model."
  }
  if (status === 402) return "Check the account's credit with the provider."
  if (status === 404) return `Check the model's name (${request.model}) and ${placeOf(error)}.`
  if (status === 429) return `${waitFor(error.responseHeaders?.["retry-after"])}, then ask again.`
  if (status >= 500 || status === 408 || status === 409) {
    return "The fault is the server's: try again in a while."
  }
  return "The server does not take the request as it is: see what it says, and whether the model can use tools."
}

function waitFor(retryAfter: string | undefined): string {
  if (retryAfter === undefined) return "Too many requests: wait a while"
  return /^\d+$/.test(retryAfter) ? `Wait ${retryAfter} s` : `Wait until ${retryAfter}`
}

/** The endpoint without what may be secret in it. */
function placeOf(error: APICallError): string {
  if (!URL.canParse(error.url)) return "the server"
  const { origin, pathname } = new URL(error.url)
  return `${origin}${pathname}`
}

/** The server's own message. Servers differ in where they put it, and some put none. */
function saidBy(error: APICallError): string {
  const body = parsed(error.responseBody)
  return messageIn(body) ?? (error.message || error.responseBody || "the server gave no reason")
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "")
  } catch {
    return undefined
  }
}

function messageIn(value: unknown): string | undefined {
  if (typeof value === "string" && value !== "") return value
  if (typeof value !== "object" || value === null) return undefined

  for (const [key, inner] of Object.entries(value)) {
    if (key !== "error" && key !== "message" && key !== "detail") continue
    const found = messageIn(inner)
    if (found !== undefined) return found
  }
  return undefined
}

/** What was at the bottom of it, in words. */
function rootOf(error: Error): string {
  const root = innermostCause(error)
  if (!(root instanceof Error)) return sentenceOf(root)

  // Several addresses were tried: such an error has no message, but a code.
  const code = "code" in root && typeof root.code === "string" ? root.code : root.name
  return root.message || code
}

function sentenceOf(error: unknown): string {
  if (error instanceof Error) return error.message || error.name
  return messageIn(error) ?? JSON.stringify(error) ?? String(error)
}

/** One line, bounded, without secrets. */
function clean(text: string, secrets: readonly string[]): string {
  const scrubbed = secrets
    .filter(secret => secret !== "")
    .reduce((rest, secret) => rest.replaceAll(secret, "[secret]"), text)
  const line = scrubbed.replaceAll(/\s+/g, " ").trim()
  return line.length > reasonLimitCharacters ? `${line.slice(0, reasonLimitCharacters)}…` : line
}
