import type { Config, Json } from "@harness/protocol"

/** What stands in place of a secret wherever a configuration is shown. */
const HIDDEN = "(hidden)"

/**
 * The configuration as it may be shown. Only a provider's options can hold secrets; what looks like
 * one, by its name or by itself, is hidden, and when in doubt too.
 */
export function withoutSecrets(config: Config): Config {
  const providers = Object.entries(config.providers).map(([provider, options]) => {
    const shown = Object.entries(options).map(([name, value]) => [name, shownOption(name, value)])
    return [provider, Object.fromEntries(shown)]
  })
  return { ...config, providers: Object.fromEntries(providers) }
}

const secretName =
  /key|token|secret|passw|passphrase|credential|auth|cookie|bearer|signature|headers|query|private/i

function shownOption(name: string, value: Json): Json {
  if (secretName.test(name) && !harmless(value)) return HIDDEN
  if (typeof value === "string") return shownText(value)
  if (Array.isArray(value)) return value.map(item => shownOption("", item))
  if (typeof value !== "object" || value === null) return value

  const inner = Object.entries(value).map(([key, item]) => [key, shownOption(key, item)])
  return Object.fromEntries(inner)
}

/** `max_tokens: 4096` is not a secret. */
function harmless(value: Json): boolean {
  return value === null || typeof value === "boolean" || typeof value === "number"
}

function shownText(text: string): string {
  if (URL.canParse(text)) return shownUrl(new URL(text), text)
  const credentialLike = /^(?=.*\d)(?=.*[A-Za-z])[\w.+/=~-]{20,}$/
  return credentialLike.test(text) ? HIDDEN : text
}

/** An address keeps what leads to it; a user, a password or a query may be a key. */
function shownUrl(url: URL, text: string): string {
  if (url.username === "" && url.password === "" && url.search === "" && url.hash === "") {
    return text
  }
  return `${url.protocol}//${url.host}${url.pathname} ${HIDDEN}`
}
