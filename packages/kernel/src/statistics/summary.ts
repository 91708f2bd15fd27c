import { Ending, type Usage, type UserMessage } from "@harness/protocol"
import * as z from "zod"
import type { CountedRecord } from "./counted-records.ts"
import type { ReadToEnd } from "./record-lines.ts"

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
  /** Given by the user, else the first line of the first message; with placeholders, as the log has it. */
  title: z.string().nullable(),
  started_at: z.string().nullable(),
  /** The latest date of a record: those that a fork copied are older than its first one. */
  last_at: z.string().nullable(),
  turns: count,
  steps: count,
  cost: amount,
  steps_without_cost: count,
  /** How the last turn ended, with placeholders; null: it did not. */
  ending: Ending.nullable(),
  /** Without what a fork copied: that was spent where it was copied from. */
  spending: z.array(Spending),
  log: z.enum(["whole", "torn", "damaged"]),
  /** Why the log could not be read to its end: what stands before counts. */
  fault: z.string().nullable(),
})
export type Summary = z.infer<typeof Summary>

/** Makes the summary of a conversation from its records, in their order. */
export interface Summariser {
  /** Of each record its number and date. */
  see(record: { seq: number; at: string }): void
  /** Of those that count also what they say. */
  record(record: CountedRecord, at: string): void
  summary(end: ReadToEnd): Summary
}

export function createSummariser(): Summariser {
  const own = new Map<string, Spending>()
  const copied = new Map<string, Spending>()
  const summary: Pick<Summary, "model" | "title" | "started_at" | "last_at" | "turns" | "ending"> =
    {
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
  let seq = 0
  /** The last record that a fork holds a copy of. */
  let copiedTo = 0

  function rowOf(at: string, model: string): Spending {
    const day = at.slice(0, 10)
    const key = `${day} ${model}`
    const rows = seq <= copiedTo ? copied : own
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
    see({ at, ...record }) {
      seq = record.seq
      summary.started_at ??= at
      if (summary.last_at === null || at > summary.last_at) summary.last_at = at
    },

    record(record, at) {
      switch (record.type) {
        case "conversation_started":
        case "conversation_resumed":
          endTurn()
          summary.model = record.model
          break
        case "settings_changed":
          summary.model = record.model ?? summary.model
          break
        case "conversation_forked":
          // One that stands later is a copy: the fork of a fork.
          if (seq === 1) copiedTo = 1 + record.from_seq
          break
        case "conversation_renamed":
          summary.title = record.title
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
          summary.ending = record.ending
          took({ overheadMs: record.overhead_ms ?? 0 })
          break
        case "conversation_closed":
          endTurn()
      }
    },

    summary(end) {
      endTurn()
      const spending = [...own.values()].toSorted(
        (one, other) => compare(one.day, other.day) || compare(one.model, other.model),
      )
      const all = [...copied.values(), ...spending]
      return {
        ...summary,
        steps: sumOf(all, "steps"),
        cost: sumOf(all, "cost"),
        steps_without_cost: sumOf(all, "steps_without_cost"),
        spending,
        log: end.status,
        fault: end.status === "whole" ? null : end.reason,
      }
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

function sumOf(rows: readonly Spending[], figure: "steps" | "cost" | "steps_without_cost"): number {
  return rows.reduce((all, row) => all + row[figure], 0)
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}
