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
import { interruptionNotice, isStepInterrupted } from "./steering/interruption.ts"
import type { MessageQueue } from "./steering/queue.ts"
import { textMessage, withTexts } from "./steering/texts.ts"
import type { RoomReached, WorkingStyle } from "./styles/style.ts"

/** What a step works with: the user may choose otherwise between two of them. */
export type Working = {
  model: Model
  style: WorkingStyle
  /** Keeps the messages within the model's window. */
  compaction: Compaction
}

export type TurnParts = {
  /** The conversation's id. */
  conversation: string
  recorder: Recorder
  /** For the next step: what was chosen otherwise counts from here on, and is on record. */
  working: () => Working
  images: Pick<ConversationImages, "bytes">
  budget: Budget
  /** The conversation so far; the turn appends to it what it records. */
  messages: Message[]
  /** What the user says meanwhile. */
  queue: Pick<MessageQueue, "close" | "waits" | "deliver" | "deliverLeft">
  /** Texts of harness that the model has yet to be told, with the next message; taken out when it is. */
  untold: string[]
  /** Keeps a result as evidence that is too long to be shown; null when there is no room. */
  keepResult: (text: string) => Promise<KeptText | null>
  now: () => number
  overhead: Overhead
  /** Told of the step that runs, and what breaks it off; null when it has ended. */
  stepRuns: (step: number, stop: AbortController | null) => void
  /** Runs the user's verification after an answer. */
  verify: ((turn: number, step: number, signal: AbortSignal) => Promise<Verification>) | null
}

/** What one step is made with. */
export type StepParts = TurnParts & Working

export type TurnEnd = { ending: Ending; verification: Verification; answer: string }

/**
 * One turn: from a user's message to an ending. A step is one model request and what its calls do;
 * a reply without calls is the answer, unless the user has said more meanwhile. The log's order is the
 * order of what happened.
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
    await begin(parts, turn, message)
    for (let first = 1; ; ) {
      const end = await steps(parts, { turn, first, signal })
      ending = end.ending
      answer = end.answer
      if (ending.status === "answered" && parts.verify) {
        verification = await parts.verify(turn, end.step, signal)
        if (signal.aborted) ending = interrupted(signal)
      }
      if (ending.status !== "answered" || !(await parts.queue.waits())) break
      first = end.step + 1
    }
  } catch (error) {
    ending = endingOf(error, signal, budget)
  } finally {
    // In the same moment in which nothing waited: what comes now is a turn of its own.
    parts.queue.close()
    stop()
  }
  const overhead_ms = parts.overhead.lap()
  recordEnd(recorder, { type: "turn_ended", turn, ending, verification, overhead_ms })
  return { ending, verification, answer }
}

/** What an earlier turn did not take was said before, and stands before. */
async function begin(parts: TurnParts, turn: number, message: UserMessage): Promise<void> {
  await parts.queue.deliverLeft(left => {
    const messages = [...left, message]
    // One write: a turn without its message would be one that nobody asked for.
    const said = messages.map(each => ({ type: "user_message" as const, message: each }))
    parts.recorder.recordAll([{ type: "turn_started", turn }, ...said], { sync: false })
    parts.messages.push(...messages)
  })
}

async function steps(
  parts: TurnParts,
  { turn, first, signal }: { turn: number; first: number; signal: AbortSignal },
): Promise<{ ending: Ending; answer: string; step: number }> {
  let notice: string | null = null
  for (let step = first; ; step += 1) {
    if (signal.aborted) return { ending: interrupted(signal), answer: "", step }
    const working = parts.working()
    await tellWhatWaits(parts, notice)
    const end = await oneStep({ ...parts, ...working }, { turn, step, signal })
    notice = null
    if (end === "interrupted") notice = interruptionNotice
    else if (end !== "goes_on") return { ...end, step }
  }
}

/** What was said since the last step; and else that the user interrupted it, with no word more. */
async function tellWhatWaits(parts: TurnParts, notice: string | null): Promise<void> {
  await parts.queue.deliver(queued => {
    const { untold } = parts
    const [next, ...others] = queued
    const texts = next === undefined && notice !== null ? [...untold, notice] : untold
    if (next === undefined && texts.length === 0) return

    const told = next === undefined ? textMessage(texts) : withTexts(texts, next)
    const messages = [told, ...others]
    const said = messages.map(message => ({ type: "user_message" as const, message }))
    parts.recorder.recordAll(said, { sync: false })
    parts.messages.push(...messages)
    untold.length = 0
  })
}

type StepEnd = "goes_on" | "interrupted" | { ending: Ending; answer: string }

async function oneStep(
  parts: StepParts,
  { turn, step, ...given }: { turn: number; step: number; signal: AbortSignal },
): Promise<StepEnd> {
  const stop = new AbortController()
  const signal = AbortSignal.any([given.signal, stop.signal])
  parts.stepRuns(step, stop)
  try {
    const reply = await ask(parts, turn, step, signal)
    if (reply === "too_long") return "goes_on"
    if (reply === "interrupted") return "interrupted"
    if ("status" in reply) return { ending: reply, answer: "" }

    const calls = reply.message.content.filter(part => part.type === "call")
    if (calls.length === 0) {
      const ending = endingOfAnswer(parts, reply)
      const isOver = ending.status !== "answered" || !(await parts.queue.waits())
      return isOver ? { ending, answer: textOf(reply.message) } : "goes_on"
    }

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
    if (reached !== null) return { ending: noRoom(reached, parts.budget), answer: "" }
    return isStepInterrupted(signal) ? "interrupted" : "goes_on"
  } catch (error) {
    if (isStepInterrupted(signal) && error === signal.reason) return "interrupted"
    throw error
  } finally {
    parts.stepRuns(step, null)
  }
}

/** A reply without calls is an answer only when the model itself came to its end. */
function endingOfAnswer({ model, budget }: StepParts, { finish, cutOff }: Asked): Ending {
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
