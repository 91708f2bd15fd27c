import { type CommandAnswer, failure, type KernelCommand } from "@harness/protocol"
import { keysOf } from "../conversation/project-key.ts"
import { usableFolder } from "../folder.ts"
import { approvalsFile, readApprovals, removeApproval } from "./approvals.ts"

/**
 * Answers what is asked about what a person allowed for a folder's project. Throws
 * `approvals_invalid`, `approval_unknown`, and what is wrong with the folder.
 */
export async function answerApprovals(
  command: Extract<KernelCommand, { type: "approvals" | "revoke" }>,
  { home }: { home: string },
): Promise<CommandAnswer> {
  const folder = await usableFolder(command.folder)
  const files = (await keysOf(folder, home)).map(key => approvalsFile(home, key))
  if (command.type === "approvals") {
    return { type: "approvals", approvals: files.flatMap(readApprovals) }
  }

  for (const file of files) {
    const approval = readApprovals(file).find(({ id }) => id === command.approval)
    if (approval === undefined) continue
    await removeApproval(file, approval.id)
    return { type: "revoke", approval }
  }
  throw failure("approval_unknown", { folder, approval: command.approval })
}
