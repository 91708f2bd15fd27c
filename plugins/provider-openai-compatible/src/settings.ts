import { failure } from "@harness/protocol"
import { type ProviderOptions, z } from "@harness/sdk"

const openAIBaseUrl = "https://api.openai.com/v1"

/** `providers.openai-compatible` in config.jsonc. */
const ProviderConfig = z.strictObject({
  base_url: z.optional(z.string()),
  /** Sent with every request, for servers that want more than a key. */
  headers: z.optional(z.record(z.string(), z.string())),
})

export type Settings = {
  baseUrl: string
  /** The server runs on this machine. */
  loopback: boolean
  key: string | undefined
  headers: Record<string, string>
  /** Kept out of failures: the key, and the values of headers that may hold one. */
  secrets: string[]
}

/**
 * Where the server is and how it is asked. The environment goes before the configuration.
 * Throws `key_missing`, `option_invalid` (OPENAI_BASE_URL) or `config_invalid`.
 */
export function settingsOf(
  provider: string,
  env: ProviderOptions["env"],
  config: ProviderOptions["config"],
): Settings {
  const { base_url: configuredUrl, headers = {} } = parseConfig(provider, config)
  const baseUrl = baseUrlFrom(provider, env.OPENAI_BASE_URL, configuredUrl)

  // An empty variable is how shells unset one.
  const key = env.OPENAI_API_KEY || undefined
  const loopback = isLoopback(baseUrl)
  const ownKey = Object.keys(headers).some(header => keyHeader.test(header))
  if (key === undefined && !ownKey && !loopback) {
    throw failure("key_missing", {
      provider,
      variable: "OPENAI_API_KEY",
      hint: `Set OPENAI_API_KEY for ${baseUrl.host}; for a server of your own set OPENAI_BASE_URL, for example http://127.0.0.1:11434/v1 for Ollama.`,
    })
  }

  const secretHeaders = Object.entries(headers).filter(([header]) => secretHeader.test(header))
  const secrets = [...secretHeaders.map(([, value]) => value), ...(key === undefined ? [] : [key])]
  return { baseUrl: baseUrl.href, loopback, key, headers, secrets }
}

const keyHeader = /^(authorization|api-key|x-api-key)$/i
const secretHeader = /auth|key|token|secret|cookie/i

function parseConfig(provider: string, config: ProviderOptions["config"]) {
  const parsed = ProviderConfig.safeParse(config)
  if (parsed.success) return parsed.data

  const [issue] = parsed.error.issues
  const path = [...(issue?.path ?? []), ...(issue?.code === "unrecognized_keys" ? issue.keys : [])]
  throw configInvalid(provider, path.join("."), issue?.message ?? "is not valid")
}

function baseUrlFrom(
  provider: string,
  variable: string | undefined,
  configured: string | undefined,
): URL {
  if (variable) {
    const checked = checkUrl(variable)
    if ("url" in checked) return checked.url
    const { reason, shown } = checked
    throw failure("option_invalid", {
      option: "OPENAI_BASE_URL",
      value: shown,
      reason,
      command: "run",
    })
  }

  const checked = checkUrl(configured ?? openAIBaseUrl)
  if ("url" in checked) return checked.url
  throw configInvalid(provider, "base_url", `${checked.shown} ${checked.reason}`)
}

function checkUrl(text: string): { url: URL } | { reason: string; shown: string } {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    return { shown: text, reason: "is not an http or https URL" }
  }
  if (url.username !== "" || url.password !== "") {
    const shown = `${url.protocol}//…@${url.host}${url.pathname}`
    return { shown, reason: "holds a user name or password; use OPENAI_API_KEY or headers" }
  }
  return { url }
}

function configInvalid(provider: string, key: string, reason: string) {
  return failure("config_invalid", {
    file: "config.jsonc",
    line: "?",
    key: ["providers", provider, key].filter(part => part !== "").join("."),
    reason,
  })
}

/** A name that ends in a loopback address without a look-up. */
function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname)
}
