import type { AuditFinding, AuditReport } from "@harness/protocol"
import type { FoundConversation } from "../conversation/find.ts"
import { holderOf } from "../conversation/lock.ts"
import { placeholdersOf, walkLog } from "../conversation/log-on-disk.ts"
import { readPlaces } from "../conversation/places-file.ts"
import { headFile, readStoredHead } from "../conversation/stored-head.ts"
import { type ExpectedFile, expectedOf } from "./expected.ts"
import { auditFiles, auditNames } from "./files.ts"
import { inventoryOf } from "./inventory.ts"
import { auditLog } from "./log.ts"

/**
 * Checks all that a conversation keeps and changes nothing: the log's chain up to the stored head,
 * each payload, output and receipt against what the log says of it, the index against what follows
 * from the log, and what lies there without a record. Throws `log_unreadable`.
 *
 * @example
 * const { holds, findings } = await auditConversation(findConversation(home, "last"))
 */
export async function auditConversation(conversation: FoundConversation): Promise<AuditReport> {
  const { id, folder } = conversation
  const isOpen = holderOf(folder) !== null
  const log = auditLog(walkLog(conversation), {
    stored: readStoredHead(headFile(conversation.log)),
    placeholders: placeholdersOf(conversation),
    isOpen,
  })
  const inventory = inventoryOf(folder)
  const files =
    log.events === null
      ? { findings: await auditNames(folder, inventory), intact: [] }
      : await auditFiles(expectedOf(log.events), { folder, inventory, isOpen })

  const findings = [...log.findings, ...placesFindings(conversation), ...files.findings]
  return {
    conversation: id,
    holds: findings.every(({ status }) => status === "redacted" || status === "collected"),
    log: log.report,
    intact: {
      payloads: ownersOf(files.intact, "payload"),
      processes: ownersOf(files.intact, "process"),
      programs: ownersOf(files.intact, "program"),
    },
    findings,
  }
}

/** Without it texts that name a folder cannot be compared with the log's. */
function placesFindings({ places }: FoundConversation): AuditFinding[] {
  if (readPlaces(places) !== null) return []
  const detail = "without it, what names a folder cannot be compared with the log"
  return [{ status: "missing", place: "places.json", detail }]
}

function ownersOf(files: readonly ExpectedFile[], group: ExpectedFile["group"]): number {
  return new Set(files.filter(file => file.group === group).map(({ owner }) => owner)).size
}
