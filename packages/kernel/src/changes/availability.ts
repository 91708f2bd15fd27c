import type { DurableEvent, KeptFile } from "@harness/protocol"
import { linksOf, redactionsOf } from "../audit/expected.ts"

/** Whether a content can be had, and if not, why. */
export type Availability = (sha256: string) => KeptFile["content"]

/** Judges by the records alone; what is missing on the disk is the audit's business. */
export function availabilityOf(events: readonly DurableEvent[]): Availability {
  const redacted = redactionsOf(events)
  const collectedAt = events.findLast(({ type }) => type === "artifacts_collected")?.seq ?? 0
  const kept = hashesOf(events.slice(collectedAt), link => link.withheld !== true)
  const collected = hashesOf(events.slice(0, collectedAt), link => link.withheld !== true)
  const withheld = hashesOf(events, link => link.withheld === true)

  return sha256 => {
    if (redacted.has(sha256)) return "redacted"
    if (kept.has(sha256)) return "kept"
    if (collected.has(sha256)) return "collected"
    return withheld.has(sha256) ? "withheld" : "not_kept"
  }
}

function hashesOf(
  events: readonly DurableEvent[],
  isMeant: (link: ReturnType<typeof linksOf>[number]) => boolean,
): Set<string> {
  return new Set(
    events
      .flatMap(linksOf)
      .filter(isMeant)
      .map(({ sha256 }) => sha256),
  )
}
