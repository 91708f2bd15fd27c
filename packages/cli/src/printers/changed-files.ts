import type { Kernel } from "@harness/kernel"
import type { ConversationChange } from "@harness/protocol"
import { evidenceReader } from "../commands/evidence-reader.ts"
import { fileDiff } from "./file-diff.ts"

/** A file that a conversation changed, with its diff or the line that stands for it. */
export type ChangedFile = ConversationChange & { diff: string }

export async function withDiffs(
  kernel: Pick<Kernel, "dispatch">,
  conversation: string,
  files: readonly ConversationChange[],
): Promise<ChangedFile[]> {
  const read = evidenceReader(kernel, conversation)
  const shown: ChangedFile[] = []
  // One after the other: a conversation may have changed thousands, and each is held in memory.
  for (const file of files) shown.push({ ...file, diff: await fileDiff(file, read) })
  return shown
}

const headings = [
  ["actions", "changed by actions"],
  ["commands", "changed while commands ran"],
  ["both", "changed by actions and while commands ran"],
] as const

/** What file actions did is told apart from what changed while commands ran. */
export function grouped(
  files: readonly ChangedFile[],
): { heading: string; files: ChangedFile[] }[] {
  return headings.flatMap(([by, heading]) => {
    const changed = files.filter(file => file.by === by)
    return changed.length === 0 ? [] : [{ heading, files: changed }]
  })
}

/** Said where the receipts could not name all. */
export const notAllNamed = "Commands changed more files than their receipts could name."
