import type { ModelCall } from "@harness/models"

/**
 * Marks where Anthropic shall keep the prompt: after the tools, after the instructions, after what
 * the step before sent, and at the end. Four is the most that a request may have. The third is what
 * this request reads, whatever number of calls one step made: a lookup goes back 20 blocks only.
 */
export function withCacheMarks(call: ModelCall, ttl: "5m" | "1h" = "5m"): ModelCall {
  const providerOptions = {
    anthropic: { cacheControl: { type: "ephemeral", ...(ttl === "1h" && { ttl }) } },
  }
  const { prompt, tools = [] } = call
  const lastReply = prompt.findLastIndex(({ role }) => role === "assistant")
  const marked = new Set([0, lastReply - 1, prompt.length - 1])

  return {
    ...call,
    prompt: prompt.map((message, index) =>
      marked.has(index) ? { ...message, providerOptions } : message,
    ),
    tools: tools.map((tool, index) =>
      tool.type === "function" && index === tools.length - 1 ? { ...tool, providerOptions } : tool,
    ),
  }
}
