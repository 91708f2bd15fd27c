import type { EvidenceContent } from "@harness/sdk"
import { redactionsOf } from "../audit/expected.ts"
import type { FoundConversation } from "../conversation/find.ts"
import { readEvents } from "../conversation/log-on-disk.ts"
import { openFileEvidence } from "../evidence/file-store.ts"

/** A payload of a conversation that is not open here. The log is read only for what is not there. */
export async function evidenceOnDisk(
  conversation: FoundConversation,
  sha256: string,
): Promise<EvidenceContent> {
  const content = await openFileEvidence({ folder: conversation.evidence }).get(sha256)
  if (content.status !== "missing") return content
  return redactionsOf(readEvents(conversation)).has(sha256) ? { status: "redacted" } : content
}
