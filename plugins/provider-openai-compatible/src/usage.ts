import type { OpenAICompatibleProviderSettings } from "@ai-sdk/openai-compatible"

type ConvertUsage = NonNullable<OpenAICompatibleProviderSettings["convertUsage"]>

/**
 * The tokens as the server counted them. What it did not say stays undefined: the library's own
 * conversion would call it 0, and an unknown number of tokens must not look like a free request.
 */
export const convertUsage: ConvertUsage = usage => {
  const input = usage?.prompt_tokens ?? undefined
  const cached = usage?.prompt_tokens_details?.cached_tokens ?? undefined
  const output = usage?.completion_tokens ?? undefined
  const reasoning = usage?.completion_tokens_details?.reasoning_tokens ?? undefined

  return {
    inputTokens: {
      total: input,
      noCache: input === undefined ? undefined : input - (cached ?? 0),
      cacheRead: cached,
      cacheWrite: undefined,
    },
    outputTokens: {
      total: output,
      text: output === undefined ? undefined : Math.max(0, output - (reasoning ?? 0)),
      reasoning,
    },
  }
}
