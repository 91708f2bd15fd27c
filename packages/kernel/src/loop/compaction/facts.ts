import type { DurableEvent, UserMessage } from "@harness/protocol"
import { type Outputs, outputsIn } from "./outputs.ts"
import { type Proposals, proposalsIn } from "./proposals.ts"

/** What the log knows and a summary must not get wrong. */
export type Facts = Outputs & {
  /** Everything that the user said, oldest first, with what came with it. */
  said: readonly UserMessage[]
  /** How many of these, the last ones, belong to the turn that runs. */
  saidInTurn: number
  /** Something was compacted before, so that the messages begin with a record. */
  hasRecord: boolean
  /** Actions that may have had their effect, and nobody saw their end. */
  unseen: readonly string[]
  verification: { command: string; outcome: string } | null
}

/** Works out from a conversation's events what its record must hold. */
export function factsOf(events: readonly DurableEvent[]): Facts {
  const proposals = proposalsIn(events)
  const turn = Math.max(
    0,
    events.findLastIndex(({ type }) => type === "turn_started"),
  )
  const verified = events.findLast(event => event.type === "verification_ended")
  return {
    ...outputsIn(events, proposals),
    said: saidIn(events),
    saidInTurn: saidIn(events.slice(turn)).length,
    hasRecord: events.some(
      event => event.type === "compaction_ended" && event.status === "compacted",
    ),
    unseen: unseenIn(events, proposals),
    verification: verified ? { command: verified.command, outcome: verified.verification } : null,
  }
}

function saidIn(events: readonly DurableEvent[]): UserMessage[] {
  return events.flatMap(event => (event.type === "user_message" ? [event.message] : []))
}

function unseenIn(events: readonly DurableEvent[], proposals: Proposals): string[] {
  const open = new Set<string>()
  for (const event of events) {
    if (event.type === "action_started") open.add(event.action_id)
    if (event.type === "action_ended" && event.receipt.status !== "unknown") {
      open.delete(event.action_id)
    }
  }
  return [...open].map(id => proposals.get(id)?.title ?? id)
}
