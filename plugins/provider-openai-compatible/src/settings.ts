import {
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
  provider: "openai-compatible",
  keyVariables: ["OPENAI_API_KEY"],
  urlVariable: "OPENAI_BASE_URL",
  defaultUrl: "https://api.openai.com/v1",
  withoutKey:
    "For a server of your own set OPENAI_BASE_URL, for example http://127.0.0.1:11434/v1 for Ollama.",
} satisfies Vendor

/** `providers.openai-compatible` in config.jsonc. */
const CompatibleConfig = ServerConfig.extend({
  /** Whether the server takes `prompt_cache_key`; left out, only OpenAI's own is known to. */
  prompt_cache_key: z.optional(z.boolean()),
})

export type Settings = ServerSettings & { sendsCacheKey: boolean }

/** Throws `key_missing`, `option_invalid` (OPENAI_BASE_URL) or `config_invalid`. */
export function settingsOf(options: SettingsOptions): Settings {
  const config = parseConfig(vendor.provider, CompatibleConfig, options.config)
  const settings = serverSettings(vendor, config, options)
  const isOpenAI = new URL(settings.baseUrl).host === "api.openai.com"
  return { ...settings, sendsCacheKey: config.prompt_cache_key ?? isOpenAI }
}

/** Where the server is, for what needs no key. Throws `option_invalid` or `config_invalid`. */
export function placeOf({ env, config }: SettingsOptions) {
  return serverPlace(vendor, parseConfig(vendor.provider, CompatibleConfig, config), env)
}
