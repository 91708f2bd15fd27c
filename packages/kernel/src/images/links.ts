import type { EvidenceLink, UserMessage } from "@harness/protocol"

/** The images of a user's message as the evidence that they are: nothing else names those. */
export function imageLinksOf({ content }: UserMessage): EvidenceLink[] {
  return content.flatMap(part =>
    part.type === "image" ? [{ role: "image", sha256: part.evidence, bytes: part.bytes }] : [],
  )
}
