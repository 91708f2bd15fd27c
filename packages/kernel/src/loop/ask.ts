import { type Ending, failure, toFailure } from "@harness/protocol"
import type { LimitReached } from "../budget/budget.ts"
import type { Reply } from "../provider/collect.ts"
import { endingOf, interrupted } from "./ending.ts"
import { paidRequest, type Requested } from "./paid-request.ts"
import { isStepInterrupted } from "./steering/interruption.ts"
import type { StepParts } from "./turn.ts"

/** A reply, and the limit that cut it off; null when none of ours did. */
export type Asked = Reply & { cutOff: LimitReached | null }

/**
 * Makes the step's request; an ending instead of a reply when a limit forbids it or it failed.
 * `too_long`: the provider refused it for its length, and the next step makes room first.
 * `interrupted`: the user broke off this step, and what was said of the reply is dropped.
 */
export async function ask(
  parts: StepParts,
  turn: number,
  step: number,
  signal: AbortSignal,
): Promise<Asked | Ending | "too_long" | "interrupted"> {
  const { recorder, model, style, budget, conversation, messages, overhead, compaction } = parts
  const room = await compaction.makeRoom({ turn, step }, signal)
  if (room.status !== "ready") return isStepInterrupted(signal) ? "interrupted" : room

  const reserved = await budget.reserve({
    messages,
    maxOutputTokens: room.maxOutputTokens,
    signal,
  })
  if (reserved.status === "limit") {
    return { status: "limit_reached", limit: reserved.limit, message: reserved.message }
  }

  const { tokens } = reserved.amount
  const cost = model.price === undefined ? null : reserved.amount.cost
  recorder.record({
    type: "step_started",
    turn,
    step,
    model: model.id,
    reserved: { cost, tokens },
  })
  const askedAt = parts.now()
  const { instructions, tools } = style
  const image = parts.images.bytes && { image: parts.images.bytes }
  const requesting = overhead.without(() =>
    paidRequest(parts, reserved, { instructions, tools, messages, conversation, ...image, signal }),
  )
  if (turn === 1 && step === 1) style.warm()
  const requested = await requesting

  if (requested.status === "answered") {
    const { reply } = requested
    recorder.record({
      type: "step_ended",
      turn,
      step,
      model: model.id,
      message: reply.message,
      finish: reply.finish,
      usage: reply.usage,
      cost: requested.cost,
      ...lostTries(requested),
      duration_ms: Math.round(reply.durationMs),
      first_token_ms: reply.firstTokenMs === null ? null : Math.round(reply.firstTokenMs),
      overhead_ms: overhead.lap(),
    })
    // No provider takes an empty message, and the log's messages have none.
    if (reply.message.content.length > 0) messages.push(reply.message)
    compaction.replied(reply)
    return { ...reply, cutOff: reply.finish === "length" ? budget.cutOff(reserved) : null }
  }

  const isInterrupted = isStepInterrupted(signal)
  if (signal.aborted && !isInterrupted) return interrupted(signal)
  recorder.record({
    type: "step_failed",
    turn,
    step,
    failure: toFailure(isInterrupted ? failure("step_interrupted", {}) : requested.error),
    ...lostTries(requested),
    duration_ms: Math.round(parts.now() - askedAt),
    overhead_ms: overhead.lap(),
  })
  if (isInterrupted) return "interrupted"
  if (compaction.refused(requested.error)) return "too_long"
  if (requested.status === "failed") return endingOf(requested.error, signal, budget)
  const { limit, message } = requested.reached
  return { status: "limit_reached", limit, message }
}

function lostTries({ unanswered }: Requested): { unanswered?: number } {
  return unanswered > 0 ? { unanswered } : {}
}
