import type { DurableEvent } from "@harness/protocol"
import type { EvidenceRelation } from "@harness/sdk"
import { imageLinksOf } from "../images/links.ts"
import { textLinksOf } from "./text-links.ts"

/**
 * What the index must say of an event: one relation for each payload that it links. The log
 * is the authority and the index follows from it, so that an audit can compare every byte.
 */
export function relationsOf(event: DurableEvent): EvidenceRelation[] {
  const { at } = event
  if (event.type === "action_ended") {
    return event.receipt.evidence.map(link => ({ ...link, action_id: event.action_id, at }))
  }
  if (event.type === "process_ended") {
    return event.evidence.map(link => ({ ...link, action_id: event.action_id, at }))
  }
  if (event.type === "user_message") {
    return imageLinksOf(event.message).map(link => ({ ...link, action_id: null, at }))
  }
  return textLinksOf(event).map(link => ({ ...link, action_id: null, at }))
}

/** A relation as a line of `index.jsonl`. */
export function indexLine(relation: EvidenceRelation): string {
  return `${JSON.stringify(relation)}\n`
}

/** The whole index of a log. What `gc` collected is no longer in it. */
export function indexOf(events: readonly DurableEvent[]): string[] {
  const collected = events.findLastIndex(({ type }) => type === "artifacts_collected")
  return events.slice(collected + 1).flatMap(event => relationsOf(event).map(indexLine))
}
