import type { ModelCall } from "@harness/models"
import type { Settings } from "./settings.ts"

type Thinking = Pick<Settings["config"], "effort" | "thinking_tokens">

/**
 * Adds to a request how much the model shall think. The cap on the output stays what it was: the
 * library adds the tokens for thinking to it, and a budget must not be crossed by a setting.
 */
export function withThinking(call: ModelCall, thinking: Thinking): ModelCall {
  const { effort, thinking_tokens: tokens } = thinking
  if (effort === "none") return withOptions(call, { thinking: { type: "disabled" } })
  if (tokens !== undefined) return withTokens(call, tokens, effort)
  if (effort === undefined) return call
  return withOptions(call, { thinking: { type: "adaptive", display: "summarized" }, effort })
}

/** What is left for the answer at least. */
const leastAnswerTokens = 1_024

function withTokens(call: ModelCall, tokens: number, effort: Thinking["effort"]): ModelCall {
  const { maxOutputTokens } = call
  const thinking = { type: "enabled", budgetTokens: tokens }
  const options = { thinking, ...(effort !== undefined && { effort }) }
  if (maxOutputTokens === undefined) return withOptions(call, options)

  const answerTokens = maxOutputTokens - tokens
  if (answerTokens < leastAnswerTokens) return call
  return { ...withOptions(call, options), maxOutputTokens: answerTokens }
}

type Options = NonNullable<ModelCall["providerOptions"]>[string]

function withOptions(call: ModelCall, options: Options): ModelCall {
  return { ...call, providerOptions: { anthropic: options } }
}
