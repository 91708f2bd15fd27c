import { isFailure } from "@harness/protocol"

/** What a provider said with a refusal because the prompt is too long; null for other failures. */
export function overflowOf(error: unknown): { contextTokens: number | null } | null {
  if (!isFailure(error, "provider_failed") || error.details.context_overflow !== true) return null
  const { context_tokens: contextTokens } = error.details
  return { contextTokens: typeof contextTokens === "number" ? contextTokens : null }
}
