import type { CommandAnswer, KernelCommand } from "@harness/protocol"
import type { EvidenceContent } from "@harness/sdk"
import { auditConversation } from "./audit/audit.ts"
import { changesOf } from "./changes/changes.ts"
import { evidenceOnDisk } from "./changes/evidence-on-disk.ts"
import { collectGarbage } from "./collection/collect.ts"
import type { KernelOptions } from "./context.ts"
import { findConversation } from "./conversation/find.ts"
import { readEvents } from "./conversation/log-on-disk.ts"
import { redactEvidence } from "./redaction/redact.ts"
import { undo } from "./undo/undo.ts"

type ExistingCommand = Extract<
  KernelCommand,
  { type: "audit" | "changes" | "undo" | "redact" | "gc" }
>

/** Answers what is asked about conversations that exist, open or not. */
export async function answerAbout(
  command: ExistingCommand,
  options: KernelOptions,
): Promise<CommandAnswer> {
  const found = ({ conversation }: { conversation: string }) =>
    findConversation(options.home, conversation)

  switch (command.type) {
    case "audit": {
      const report = await auditConversation(found(command))
      return { type: "audit", report }
    }
    case "changes": {
      const conversation = found(command)
      const { turn = null } = command
      const changes = changesOf(readEvents(conversation), { conversation: conversation.id, turn })
      return { type: "changes", conversation: conversation.id, ...changes }
    }
    case "undo":
      return undo(found(command), command, options)
    case "redact": {
      const { evidence, reason = null } = command
      return redactEvidence(found(command), { evidence, reason }, options)
    }
    case "gc": {
      const { older_than_seconds: olderThanSeconds = null, dry_run: dryRun } = command
      return collectGarbage({ ...options, olderThanSeconds, dryRun })
    }
  }
}

/** A payload of a conversation that is not open here, by the command `evidence`. */
export function evidenceOf(
  { conversation, sha256 }: { conversation: string; sha256: string },
  { home }: KernelOptions,
): Promise<EvidenceContent> {
  return evidenceOnDisk(findConversation(home, conversation), sha256)
}
