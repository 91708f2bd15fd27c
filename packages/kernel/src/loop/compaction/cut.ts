import type { Message } from "@harness/protocol"
import { tokensOf } from "./tokens.ts"

/**
 * From which message on all stay as they are: what the user said last and is not answered yet, and
 * before it as many of the latest steps as fit. A step stays whole: a result is never without its
 * call, and reasoning never without what it led to. 0: there is nothing older to be compacted.
 */
export function keptFrom(
  messages: readonly Message[],
  options: {
    /** What the steps that stay may take. */
    limitTokens: number
    /** What the last of them may take alone: its results were not seen yet. */
    lastStepTokens: number
    /** The first message is a record: with others before it, it is itself made anew. */
    hasRecord: boolean
  },
): number {
  const first = options.hasRecord ? 1 : 0
  let end = messages.length
  while (end > first && messages[end - 1]?.role === "user") end -= 1
  if (end === 0) return 0

  let from = end
  let tokens = 0
  for (let index = end - 1; index > first; index -= 1) {
    const message = messages[index]
    if (message === undefined) break
    tokens += tokensOf(message)
    if (tokens > (from === end ? options.lastStepTokens : options.limitTokens)) break
    // A task alone is no older part: what is asked stays in any case.
    const leavesWork = options.hasRecord || messages.slice(0, index).some(isOfModel)
    if (message.role !== "tool" && leavesWork) from = index
  }
  return from
}

function isOfModel({ role }: Message): boolean {
  return role === "assistant"
}
