import {
  type AssistantMessage,
  type Ending,
  failure,
  isFailure,
  type Message,
  toFailure,
  type UserMessage,
  type Verification,
} from "@harness/protocol"
import type { Budget } from "../budget/budget.ts"
import type { ConversationImages } from "../images/images.ts"
import type { Model } from "../provider/resolve.ts"
import { type Asked, ask } from "./ask.ts"
import { runCalls } from "./calls.ts"
import type { Compaction } from "./compaction/compaction.ts"
import { endingOf, interrupted } from "./ending.ts"
import { fittingResult, type KeptText } from "./fitting-result.ts"
import type { Overhead } from "./overhead.ts"
import type { Recorder } from "./recorder.ts"
import type { RoomReached, WorkingStyle } from "./styles/style.ts"

export type TurnParts = {
  /** The conversation's id. */
  conversation: string
  recorder: Recorder
  model: Model
  images: Pick<ConversationImages, "bytes">
  style: WorkingStyle
  budget: Budget
  /** The conversation so far; the turn appends to it what it records. */
  messages: Message[]
  /** Keeps the messages within the model's window. */
  compaction: Compaction
  /** Keeps a result as evidence that is too long to be shown; null when there is no room. */
  keepResult: (text: string) => Promise<KeptText | null>
  now: () => number
  overhead: Overhead
  /** Runs the user's verification after an answer. */
  verify: ((turn: number, step: number, signal: AbortSignal) => Promise<Verification>) | null
}

export type TurnEnd = { ending: Ending; verification: Verification; answer: string }

/**
 * One turn: from a user's message to an ending. A step is one model request and what its calls do;
 * a reply without calls is the answer. The log's order is the order of what happened.
 */
export async function runTurn(
  parts: TurnParts,
  { turn, message, ...given }: { turn: number; message: UserMessage; signal: AbortSignal },
): Promise<TurnEnd> {
  const { recorder, budget } = parts
  const { signal, stop } = budget.startTurn(given.signal)
  let answer = ""
  let ending: Ending
  parts.overhead.lap()
  let verification: Verification = "not_requested"
  try {
    // One write: a turn without its message would be one that nobody asked for.
    const begun = [
      { type: "turn_started" as const, turn },
      { type: "user_message" as const, message },
    ]
    recorder.recordAll(begun, { sync: false })
    parts.messages.push(message)

    const end = await steps(parts, turn, signal)
    ending = end.ending
    answer = end.answer
    if (ending.status === "answered" && parts.verify) {
      verification = await parts.verify(turn, end.step, signal)
      if (signal.aborted) ending = interrupted(signal)
    }
  } catch (error) {
    ending = endingOf(error, signal, budget)
  } finally {
    stop()
  }
  const overhead_ms = parts.overhead.lap()
  recordEnd(recorder, { type: "turn_ended", turn, ending, verification, overhead_ms })
  return { ending, verification, answer }
}

async function steps(
  parts: TurnParts,
  turn: number,
  signal: AbortSignal,
): Promise<{ ending: Ending; answer: string; step: number }> {
  for (let step = 1; ; step += 1) {
    if (signal.aborted) return { ending: interrupted(signal), answer: "", step }
    const reply = await ask(parts, turn, step, signal)
    if (reply === "too_long") continue
    if ("status" in reply) return { ending: reply, answer: "", step }

    const calls = reply.message.content.filter(part => part.type === "call")
    if (calls.length === 0)
      return { ending: endingOfAnswer(parts, reply), answer: textOf(reply.message), step }

    const limitBytes = parts.compaction.resultBytes(calls.length)
    const { results, reached } = await runCalls(parts.style, calls, {
      turn,
      step,
      limitBytes,
      signal,
      fit: part => fittingResult(part, { limitBytes, keep: parts.keepResult }),
    })
    const message: Message = { role: "tool", content: results }
    // First: a log that cannot be written must not leave calls without results for the next turn.
    parts.messages.push(message)
    parts.recorder.record({ type: "results", turn, step, message })
    if (reached !== null) return { ending: noRoom(reached, parts.budget), answer: "", step }
  }
}

/** A reply without calls is an answer only when the model itself came to its end. */
function endingOfAnswer({ model, budget }: TurnParts, { finish, cutOff }: Asked): Ending {
  if (finish === "stop" || finish === "tool_calls") return { status: "answered" }
  if (cutOff !== null) {
    return { status: "limit_reached", limit: cutOff.limit, message: cutOff.message }
  }
  if (finish === "length") {
    const message = `The model's answer was cut off at its output limit. ${budget.wayOn()}`
    return { status: "limit_reached", limit: "tokens", message }
  }
  const reason =
    finish === "content_filter"
      ? "the answer was stopped by a content filter"
      : "the model stopped for a reason of its own"
  const failed = failure("provider_failed", {
    provider: model.providerName,
    model: model.name,
    reason,
    hint: "Put the task in other words, or use another model.",
  })
  return { status: "failed", failure: toFailure(failed) }
}

/** A log that cannot be written keeps what it has; the ending is still told to the caller. */
function recordEnd(recorder: Recorder, body: Parameters<Recorder["record"]>[0]): void {
  try {
    recorder.record(body, { sync: true })
  } catch (error) {
    if (!isFailure(error, "log_unwritable")) throw error
  }
}

function textOf(message: AssistantMessage): string {
  return message.content
    .flatMap(part => (part.type === "text" ? [part.text] : []))
    .join("")
    .trim()
}

function noRoom(reached: RoomReached, budget: Budget): Ending {
  const { what, first } = rooms[reached]
  return { status: "limit_reached", limit: reached, message: `${what} ${budget.wayOn({ first })}` }
}

const rooms: Record<RoomReached, { what: string; first: string }> = {
  evidence: {
    what: "The conversation's evidence has no room left.",
    first: "raise limits.evidence_bytes in config.jsonc",
  },
  disk: {
    what: "What the program left could not be kept: the disk is full, or HARNESS_HOME cannot be written.",
    first: "make room",
  },
}
