import type { DurableEvent, EvidenceLink } from "@harness/protocol"

/** Texts that an event keeps whole as evidence, because the model is shown a part of them. */
export function textLinksOf(event: DurableEvent): readonly EvidenceLink[] {
  if (event.type === "compaction_ended") return event.evidence
  if (event.type !== "results") return []
  return event.message.content.flatMap(({ evidence }) => evidence ?? [])
}
