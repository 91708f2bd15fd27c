import type { ModelCall } from "@harness/models"
import type { Settings } from "./settings.ts"

/**
 * Makes a request that leaves nothing at OpenAI: the log is the conversation's one store. Reasoning
 * then comes encrypted, and goes back with the messages. Requests with one `cacheKey` come to the
 * machines that have kept their common beginning.
 */
export function stateless(
  call: ModelCall,
  { effort, reasoning }: Settings["config"],
  cacheKey: string | undefined,
): ModelCall {
  const openai = {
    store: false,
    ...(cacheKey !== undefined && { promptCacheKey: cacheKey }),
    ...(reasoning !== undefined && { forceReasoning: reasoning }),
  }
  return {
    ...call,
    providerOptions: { openai },
    ...(effort !== undefined && { reasoning: effort }),
    // Strict tools must list every parameter as required, which ours do not.
    tools: (call.tools ?? []).map(tool =>
      tool.type === "function" ? { ...tool, strict: false } : tool,
    ),
  }
}
