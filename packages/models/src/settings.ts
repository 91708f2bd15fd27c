import { failure } from "@harness/protocol"
import { type ProviderOptions, z } from "@harness/sdk"
import { isLoopback } from "./loopback.ts"
import { proxyFor, proxySecrets } from "./proxy.ts"

/** How a vendor is asked, before anything is configured. */
export type Vendor = {
  /** The provider's name. */
  provider: string
  /** The variables that may hold the key; the first that is set counts, the first one is named. */
  keyVariables: readonly [string, ...string[]]
  urlVariable: string
  defaultUrl: string
  /** Added to a base URL that names a host alone, such as `/v1`. */
  versionPath?: string
  /** A sentence for who has no key and needs none, besides the one that says how to set it. */
  withoutKey?: string
}

/** What `providers.<name>` of config.jsonc may hold for every provider that asks a server. */
export const ServerConfig = z.strictObject({
  base_url: z.optional(z.string()),
  /** Sent with every request, for servers that want more than a key. */
  headers: z.optional(z.record(z.string(), z.string())),
  /** For so long a request that was refused for a passing reason is made again; 0 for never. */
  retry_seconds: z.optional(z.number().nonnegative()),
})

/** How much a model thinks before it answers, where it can be told. */
export const Effort = z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"])

/** What a provider is given, but for the model. */
export type SettingsOptions = Omit<ProviderOptions, "model">

export type ServerSettings = {
  baseUrl: string
  /** The server runs on this machine. */
  loopback: boolean
  key: string | undefined
  headers: Record<string, string>
  retrySeconds: number
  /** What to do when the server refuses the key: it depends on where that came from. */
  refusedHint: string
  /** Kept out of failures: the key, and the values of headers that may hold one. */
  secrets: string[]
}

/** The provider's options, checked. Throws `config_invalid` with the key. */
export function parseConfig<Schema extends z.ZodType>(
  provider: string,
  schema: Schema,
  config: ProviderOptions["config"],
): z.infer<Schema> {
  const parsed = schema.safeParse(config)
  if (parsed.success) return parsed.data

  const [issue] = parsed.error.issues
  const path = [...(issue?.path ?? []), ...(issue?.code === "unrecognized_keys" ? issue.keys : [])]
  throw configInvalid(provider, path.join("."), issue?.message ?? "is not valid")
}

/**
 * Where a vendor's server is, for what needs no key. The environment goes before the configuration.
 * Throws `option_invalid` (the variable of the base URL) or `config_invalid`.
 */
export function serverPlace(
  vendor: Vendor,
  config: z.infer<typeof ServerConfig>,
  env: ProviderOptions["env"],
): Pick<ServerSettings, "baseUrl" | "loopback"> {
  const url = baseUrlFrom(vendor, env[vendor.urlVariable], config.base_url)
  const { versionPath } = vendor
  if (url.pathname === "/" && versionPath !== undefined) url.pathname = versionPath
  return { baseUrl: url.href, loopback: isLoopback(url) }
}

/**
 * Where a vendor's server is and how it is asked. The environment goes before the configuration; a
 * server on this machine needs no key. Throws `key_missing`, `option_invalid` (the variable of the base
 * URL or of the proxy) or `config_invalid`.
 *
 * @example
 * const config = parseConfig("anthropic", ServerConfig, options.config)
 * const { baseUrl, key } = serverSettings(anthropic, config, options)
 */
export function serverSettings(
  vendor: Vendor,
  config: z.infer<typeof ServerConfig>,
  { env, keyStored = false }: Pick<ProviderOptions, "env" | "keyStored">,
): ServerSettings {
  const { provider, keyVariables } = vendor
  const { headers = {}, retry_seconds: retrySeconds = defaultRetrySeconds } = config
  const { baseUrl, loopback } = serverPlace(vendor, config, env)
  const url = new URL(baseUrl)

  // An empty variable is how shells unset one.
  const variable = keyVariables.find(name => env[name])
  const key = variable === undefined ? undefined : env[variable]
  const ownKey = Object.keys(headers).some(header => keyHeader.test(header))
  if (key === undefined && !ownKey && !loopback) {
    const [first] = keyVariables
    throw failure("key_missing", { provider, variable: first, hint: missingHint(vendor, url.host) })
  }

  const secretHeaders = Object.entries(headers).filter(([header]) => secretHeader.test(header))
  const proxy = proxyFor(url, env)
  const secrets = [
    ...secretHeaders.map(([, value]) => value),
    ...(key === undefined ? [] : [key]),
    ...(proxy === undefined ? [] : proxySecrets(proxy)),
  ]
  const refusedHint = ownKey
    ? `Check headers of providers.${provider} in config.jsonc: the server does not accept the key in it for this model.`
    : refusedHintFor(vendor, { variable, keyStored })
  return { baseUrl, loopback, key, headers, retrySeconds, refusedHint, secrets }
}

function missingHint({ provider, keyVariables, withoutKey }: Vendor, host: string): string {
  const names = keyVariables.join(" or ")
  const hint = `Set ${names} for ${host}, or store a key: harness login ${provider}.`
  return withoutKey === undefined ? hint : `${hint} ${withoutKey}`
}

function refusedHintFor(
  { provider, keyVariables }: Vendor,
  { variable, keyStored }: { variable: string | undefined; keyStored: boolean },
): string {
  if (variable === undefined) {
    return `The server wants a key: set ${keyVariables[0]}, or store one: harness login ${provider}.`
  }
  return keyStored
    ? `The server does not accept the stored key for this model. Store another one: harness login ${provider}.`
    : `Check ${variable}: the server does not accept it for this model.`
}

const defaultRetrySeconds = 120

const keyHeader = /^(authorization|api-key|x-api-key|x-goog-api-key)$/i
const secretHeader = /auth|key|token|secret|cookie/i

function baseUrlFrom(
  vendor: Vendor,
  variable: string | undefined,
  configured: string | undefined,
): URL {
  const [keyVariable] = vendor.keyVariables
  if (variable) {
    const checked = checkUrl(variable, keyVariable)
    if ("url" in checked) return checked.url
    const { reason, shown } = checked
    throw failure("option_invalid", {
      option: vendor.urlVariable,
      value: shown,
      reason,
      command: "run",
    })
  }

  const checked = checkUrl(configured ?? vendor.defaultUrl, keyVariable)
  if ("url" in checked) return checked.url
  throw configInvalid(vendor.provider, "base_url", `${checked.shown} ${checked.reason}`)
}

function checkUrl(
  text: string,
  keyVariable: string,
): { url: URL } | { reason: string; shown: string } {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    return { shown: text, reason: "is not an http or https URL" }
  }
  if (url.username !== "" || url.password !== "") {
    const shown = `${url.protocol}//…@${url.host}${url.pathname}`
    return { shown, reason: `holds a user name or password; use ${keyVariable} or headers` }
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
