import { type Ending, toFailure } from "@harness/protocol"
import { collect, type Reply } from "../provider/collect.ts"
import { endingOf, interrupted } from "./ending.ts"
import type { TurnParts } from "./turn.ts"

/** Makes the step's request; an ending instead of a reply when a limit forbids it or it failed. */
export async function ask(
  parts: TurnParts,
  turn: number,
  step: number,
  signal: AbortSignal,
): Promise<Reply | Ending> {
  const { recorder, model, style, budget } = parts
  const reserved = budget.reserve({
    messages: parts.messages,
    maxOutputTokens: model.maxOutputTokens,
  })
  if (reserved.status === "limit") {
    return { status: "limit_reached", limit: reserved.limit, message: reserved.message }
  }

  recorder.record({ type: "step_started", turn, step, model: model.id })
  const askedAt = parts.now()
  try {
    const replying = parts.overhead.without(() =>
      collect(
        model.provider,
        {
          model: model.name,
          instructions: style.instructions,
          tools: style.tools,
          messages: parts.messages,
          ...(reserved.maxOutputTokens !== undefined && {
            maxOutputTokens: reserved.maxOutputTokens,
          }),
        },
        { signal, now: parts.now, pass: recorder.pass, name: model.providerName },
      ),
    )
    if (turn === 1 && step === 1) style.warm()
    const reply = await replying
    const cost = budget.settle(reserved, { usage: reply.usage, cost: reply.cost })
    recorder.record({
      type: "step_ended",
      turn,
      step,
      model: model.id,
      message: reply.message,
      finish: reply.finish,
      usage: reply.usage,
      cost,
      duration_ms: Math.round(reply.durationMs),
      first_token_ms: reply.firstTokenMs === null ? null : Math.round(reply.firstTokenMs),
      overhead_ms: parts.overhead.lap(),
    })
    parts.messages.push(reply.message)
    return reply
  } catch (error) {
    budget.release(reserved)
    if (signal.aborted) return interrupted(signal)
    const failed = toFailure(error)
    recorder.record({
      type: "step_failed",
      turn,
      step,
      failure: failed,
      duration_ms: Math.round(parts.now() - askedAt),
      overhead_ms: parts.overhead.lap(),
    })
    return endingOf(error, signal)
  }
}
