import { anthropicMessages } from "./anthropic-messages.ts"
import type { Dialect } from "./dialect.ts"
import { gemini } from "./gemini.ts"
import { openaiResponses } from "./openai-responses.ts"

/** A vendor whose package is installed, and how its API is reached. */
export type WireVendor = {
  /** The provider's name; the package is `provider-<name>`. */
  name: string
  model: string
  dialect: Dialect
  /** The variables that hold the key and the base URL. */
  key: string
  url: string
}

export const vendors: readonly WireVendor[] = [
  {
    name: "anthropic",
    model: "claude-sonnet-5",
    dialect: anthropicMessages,
    key: "ANTHROPIC_API_KEY",
    url: "ANTHROPIC_BASE_URL",
  },
  {
    name: "openai",
    model: "gpt-5.2",
    dialect: openaiResponses,
    key: "OPENAI_API_KEY",
    url: "OPENAI_BASE_URL",
  },
  {
    name: "google",
    model: "gemini-3-pro-preview",
    dialect: gemini,
    key: "GEMINI_API_KEY",
    url: "GOOGLE_GENERATIVE_AI_BASE_URL",
  },
]
