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
  provider: "openai",
  keyVariables: ["OPENAI_API_KEY"],
  urlVariable: "OPENAI_BASE_URL",
  defaultUrl: "https://api.openai.com/v1",
  withoutKey: "For a server without the Responses API use the provider openai-compatible.",
} satisfies Vendor

/** `providers.openai` in config.jsonc. */
const OpenAIConfig = ServerConfig.extend({
  /** How much a reasoning model thinks; left out, what the model does by itself. */
  effort: z.optional(Effort),
  /** Whether the model reasons, for a name that does not say. */
  reasoning: z.optional(z.boolean()),
  organization: z.optional(z.string()),
  project: z.optional(z.string()),
})

export type Settings = ServerSettings & { config: z.infer<typeof OpenAIConfig> }

/** Throws `key_missing`, `option_invalid` (OPENAI_BASE_URL) or `config_invalid`. */
export function settingsOf(options: SettingsOptions): Settings {
  const config = parseConfig(vendor.provider, OpenAIConfig, options.config)
  return { ...serverSettings(vendor, config, options), config }
}

/** Where the server is, for what needs no key. Throws `option_invalid` or `config_invalid`. */
export function placeOf({ env, config }: SettingsOptions) {
  return serverPlace(vendor, parseConfig(vendor.provider, OpenAIConfig, config), env)
}
