import { type ConversationEvent, type StepRow, type StepRows, stepRows } from "@harness/protocol"
import type { LocalLog, LogEntry } from "./local-log.ts"

/**
 * Tells the local log each model request when its step is complete: the figures of the step table,
 * and no word of what the model or the user said.
 */
export interface StepLog {
  event(conversation: string, event: ConversationEvent): void
}

export function createStepLog(log: LocalLog): StepLog {
  const conversations = new Map<string, StepRows>()
  let begun = false

  return {
    event(conversation, event) {
      if (!("seq" in event)) return
      const steps = conversations.get(conversation) ?? stepRows()
      conversations.set(conversation, steps)

      const row = steps.event(event)
      if (row !== null) log.defer(entryOf(conversation, row))
      if (row !== null && !begun) setTimeout(log.flush, beginMs).unref()
      begun ||= row !== null
      if (event.type === "conversation_closed") {
        conversations.delete(conversation)
        log.flush()
      }
    },
  }
}

/** Then the next request is on its way, and what is made with the first lines delays nothing. */
const beginMs = 50

function entryOf(conversation: string, row: StepRow): LogEntry {
  const { usage, outcomes } = row
  return {
    level: "info",
    event: row.type,
    conversation,
    turn: row.turn,
    step: row.step,
    model: row.model,
    input_tokens: usage.input_tokens,
    cached_input_tokens: usage.cached_input_tokens,
    output_tokens: usage.output_tokens,
    reasoning_tokens: usage.reasoning_tokens,
    cost: row.cost,
    unanswered: row.lostTries,
    duration_ms: row.durationMs,
    model_ms: row.modelMs,
    first_token_ms: row.firstTokenMs,
    overhead_ms: row.overheadMs,
    actions: row.actions,
    outcomes: outcomes.map(({ word, count }) => (count === 1 ? word : `${count} × ${word}`)),
  }
}
