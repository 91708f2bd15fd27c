import { existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { CommandAnswer } from "@harness/protocol"
import { expectedOf, payloadPlace, redactionsOf } from "../audit/expected.ts"
import type { FoundConversation } from "../conversation/find.ts"
import { reopenConversation } from "../conversation/reopen.ts"
import { findContent } from "./find-content.ts"

export type Redaction = {
  /** A sha256, a beginning of one, or `output:<id>`. */
  evidence: string
  reason: string | null
}

/**
 * Empties a content for good, wherever the conversation keeps it: as a payload, as the output of a
 * process, as a program's source or output. The tombstone is on the disk before anything is removed;
 * what a crash kept from being removed is removed when it is redacted again. The texts of the log
 * stay: what the model was told is part of the chain. Throws `evidence_unknown`,
 * `evidence_ambiguous`, and what {@link reopenConversation} throws.
 */
export function redactEvidence(
  conversation: FoundConversation,
  { evidence, reason }: Redaction,
  { clock, remove = rmSync }: { clock: () => number; remove?: (file: string) => void },
): Promise<Extract<CommandAnswer, { type: "redact" }>> {
  const { id, folder } = conversation
  return reopenConversation(conversation, { clock }, async ({ events, recorder }) => {
    const { sha256, bytes } = findContent(events, { evidence, conversation: id })
    const changed = !redactionsOf(events).has(sha256)
    if (changed) {
      recorder.record({ type: "evidence_redacted", sha256, bytes, reason }, { sync: true })
    }

    const places = [...expectedOf(events).files.values()]
      .filter(file => file.sha256 === sha256)
      .map(({ place }) => place)
    // Something that no record links may hold it too: an action whose end was never written.
    const removed = [...new Set([...places, payloadPlace(sha256)])].filter(place =>
      existsSync(join(folder, place)),
    )
    for (const place of removed) remove(join(folder, place))
    return { type: "redact", conversation: id, sha256, bytes, removed, changed }
  })
}
