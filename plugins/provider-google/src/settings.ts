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
  provider: "google",
  keyVariables: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
  urlVariable: "GOOGLE_GENERATIVE_AI_BASE_URL",
  defaultUrl: "https://generativelanguage.googleapis.com/v1beta",
  versionPath: "/v1beta",
} satisfies Vendor

/** `providers.google` in config.jsonc. */
const GoogleConfig = ServerConfig.extend({
  /** How much the model thinks; left out, what the model does by itself. */
  effort: z.optional(Effort),
})

export type Settings = ServerSettings & { config: z.infer<typeof GoogleConfig> }

/** Throws `key_missing`, `option_invalid` (GOOGLE_GENERATIVE_AI_BASE_URL) or `config_invalid`. */
export function settingsOf(options: SettingsOptions): Settings {
  const config = parseConfig(vendor.provider, GoogleConfig, options.config)
  return { ...serverSettings(vendor, config, options), config }
}

/** Where the server is, for what needs no key. Throws `option_invalid` or `config_invalid`. */
export function placeOf({ env, config }: SettingsOptions) {
  return serverPlace(vendor, parseConfig(vendor.provider, GoogleConfig, config), env)
}
