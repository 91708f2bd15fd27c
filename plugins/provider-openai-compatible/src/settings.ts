import {
  parseConfig,
  ServerConfig,
  type ServerSettings,
  serverSettings,
  type Vendor,
} from "@harness/models/settings"
import type { ProviderOptions } from "@harness/sdk"

const vendor = {
  provider: "openai-compatible",
  keyVariables: ["OPENAI_API_KEY"],
  urlVariable: "OPENAI_BASE_URL",
  defaultUrl: "https://api.openai.com/v1",
  keyHint: host =>
    `Set OPENAI_API_KEY for ${host}; for a server of your own set OPENAI_BASE_URL, for example http://127.0.0.1:11434/v1 for Ollama.`,
} satisfies Vendor

/** Throws `key_missing`, `option_invalid` (OPENAI_BASE_URL) or `config_invalid`. */
export function settingsOf({
  env,
  config,
}: Pick<ProviderOptions, "env" | "config">): ServerSettings {
  return serverSettings(vendor, parseConfig(vendor.provider, ServerConfig, config), env)
}
