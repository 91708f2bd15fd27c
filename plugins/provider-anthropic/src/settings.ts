import {
  Effort,
  parseConfig,
  ServerConfig,
  type ServerSettings,
  type SettingsOptions,
  serverPlace,
  serverSettings,
  type Vendor,
} from "@harness/models/settings"
import { z } from "@harness/sdk"

export const vendor = {
  provider: "anthropic",
  keyVariables: ["ANTHROPIC_API_KEY"],
  urlVariable: "ANTHROPIC_BASE_URL",
  defaultUrl: "https://api.anthropic.com/v1",
  // Other programs want the variable without it.
  versionPath: "/v1",
} satisfies Vendor

/** `providers.anthropic` in config.jsonc. */
const AnthropicConfig = ServerConfig.extend({
  /** For models with adaptive thinking; `none` turns it off. */
  effort: z.optional(Effort.exclude(["minimal"])),
  /** For models that are told how many tokens to think: of the output, not on top of it. */
  thinking_tokens: z.optional(z.int().min(1_024)),
  /** How long Anthropic keeps the prompt after its last use. */
  cache_ttl: z.optional(z.enum(["5m", "1h"])),
})

export type Settings = ServerSettings & { config: z.infer<typeof AnthropicConfig> }

/** Throws `key_missing`, `option_invalid` (ANTHROPIC_BASE_URL) or `config_invalid`. */
export function settingsOf(options: SettingsOptions): Settings {
  const config = parseConfig(vendor.provider, AnthropicConfig, options.config)
  return { ...serverSettings(vendor, config, options), config }
}

/** Where the server is, for what needs no key. Throws `option_invalid` or `config_invalid`. */
export function placeOf({ env, config }: SettingsOptions) {
  return serverPlace(vendor, parseConfig(vendor.provider, AnthropicConfig, config), env)
}
