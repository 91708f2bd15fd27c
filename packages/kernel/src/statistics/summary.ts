import type { Ending, Usage, UserMessage } from "@harness/protocol"
import * as z from "zod"
import type { CountedRecord } from "./counted-records.ts"

const count = z.int().nonnegative()
const amount = z.number().nonnegative()

/** What one model was paid for on one day, in one conversation. */
export const Spending = z.strictObject({
  /** In UTC, as the log's dates are. */
  day: z.string(),
  model: z.string(),
  turns: count,
  steps: count,
  input_tokens: count,
  cached_input_tokens: count,
  output_tokens: count,
  reasoning_tokens: count,
  cost: amount,
  steps_without_cost: count,
  model_ms: amount,
  overhead_ms: amount,
})
export type Spending = z.infer<typeof Spending>

/** A conversation in short, from its log alone. */
export const Summary = z.strictObject({
  model: z.string().nullable(),
  /** The first line of the user's first message; with placeholders, as the log has it. */
  title: z.string().nullable(),
  started_at: z.string().nullable(),
  /** The date of the last record. */
  last_at: z.string().nullable(),
  turns: count,
  /** How the last turn ended: `answered`, `limit_reached: cost`, `failed: <code>`; null: it did not. */
  ending: z.string().nullable(),
  spending: z.array(Spending),
  /** Why the log could not be read to its end: what stands before counts. */
  fault: z.string().nullable(),
})
export type Summary = z.infer<typeof Summary>

/** Makes the summary of a conversation from its records, in their order. */
export interface Summariser {
  /** Of each record its date. */
  at(at: string): void
  /** Of those that count also what they say. */
  record(record: CountedRecord, at: string): void
  summary(fault: string | null): Summary
}

export function createSummariser(): Summariser {
  const rows = new Map<string, Spending>()
  const summary: Omit<Summary, "spending" | "fault"> = {
    model: null,
    title: null,
    started_at: null,
    last_at: null,
    turns: 0,
    ending: null,
  }
  /** Where what comes next is entered: the last request's model and day. */
  let current: Spending | null = null
  /** A request that has no ending yet: it may have been billed. */
  let unsettled: Spending | null = null
  let turnBegan: string | null = null

  function rowOf(at: string, model: string): Spending {
    const day = at.slice(0, 10)
    const key = `${day} ${model}`
    const row = rows.get(key) ?? { day, model, ...nothing }
    rows.set(key, row)
    return row
  }

  function request(at: string, model: string): Spending {
    endRequest()
    current = rowOf(at, model)
    unsettled = current
    if (turnBegan !== null) current.turns += 1
    turnBegan = null
    return current
  }

  /** It was begun and nobody knows what it came to. */
  function endRequest(): void {
    if (unsettled !== null) unsettled.steps_without_cost += 1
    unsettled = null
  }

  /** Nothing asked a model in this turn: it counts for the conversation's own. */
  function endTurn(): void {
    endRequest()
    if (turnBegan !== null) rowOf(turnBegan, summary.model ?? "unknown").turns += 1
    turnBegan = null
  }

  function settle(answer: { usage?: Usage; cost: number | null; isWhole: boolean }): void {
    unsettled = null
    if (current === null) return
    const { usage, cost, isWhole } = answer
    current.input_tokens += usage?.input_tokens ?? 0
    current.cached_input_tokens += usage?.cached_input_tokens ?? 0
    current.output_tokens += usage?.output_tokens ?? 0
    current.reasoning_tokens += usage?.reasoning_tokens ?? 0
    current.cost += cost ?? 0
    if (cost === null || !isWhole) current.steps_without_cost += 1
  }

  function took({ modelMs = 0, overheadMs = 0 }: { modelMs?: number; overheadMs?: number }): void {
    if (current === null) return
    current.model_ms += modelMs
    current.overhead_ms += overheadMs
  }

  return {
    at(at) {
      summary.started_at ??= at
      summary.last_at = at
    },

    record(record, at) {
      switch (record.type) {
        case "conversation_started":
        case "conversation_resumed":
          endTurn()
          summary.model = record.model
          break
        case "turn_started":
          endTurn()
          summary.turns += 1
          summary.ending = null
          turnBegan = at
          break
        case "user_message":
          summary.title ??= titleOf(record.message)
          break
        case "step_started":
          request(at, record.model).steps += 1
          break
        case "compaction_started":
          request(at, record.model)
          break
        case "step_ended":
          settle({ ...record, isWhole: record.unanswered === undefined })
          took({ modelMs: record.duration_ms, overheadMs: record.overhead_ms ?? 0 })
          break
        case "compaction_ended":
          settle({ ...record, isWhole: record.unanswered === undefined })
          took({ modelMs: record.duration_ms })
          break
        case "step_failed":
          // Refused, it cost nothing.
          settle({ cost: record.unanswered === undefined ? 0 : null, isWhole: true })
          took({ modelMs: record.duration_ms ?? 0, overheadMs: record.overhead_ms ?? 0 })
          break
        case "turn_ended":
          endTurn()
          summary.ending = inWords(record.ending)
          took({ overheadMs: record.overhead_ms ?? 0 })
          break
        case "conversation_closed":
          endTurn()
      }
    },

    summary(fault) {
      endTurn()
      const spending = [...rows.values()].toSorted(
        (one, other) => compare(one.day, other.day) || compare(one.model, other.model),
      )
      return { ...summary, spending, fault }
    },
  }
}

const nothing = {
  turns: 0,
  steps: 0,
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
  cost: 0,
  steps_without_cost: 0,
  model_ms: 0,
  overhead_ms: 0,
}

const titleCharacters = 200

/** What the project's guidance says stands before what the user says. */
function titleOf({ content }: UserMessage): string | null {
  const said = content.findLast(part => part.type === "text")?.text ?? ""
  const line = said.split("\n").find(text => text.trim() !== "")
  return line === undefined ? null : line.trim().slice(0, titleCharacters)
}

function inWords(ending: Ending): string {
  if (ending.status === "limit_reached") return `${ending.status}: ${ending.limit}`
  return ending.status === "failed" ? `${ending.status}: ${ending.failure.code}` : ending.status
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}
