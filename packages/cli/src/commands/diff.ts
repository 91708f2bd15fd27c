import type { Kernel } from "@harness/kernel"
import type { ConversationChange } from "@harness/protocol"
import { ask } from "../ask.ts"
import type { Invocation } from "../invocation.ts"
import { diffLines } from "../printers/diff.ts"
import { fileDiff } from "../printers/file-diff.ts"
import { pageOn } from "../printers/page.ts"
import { paintFor } from "../text/paint.ts"
import { evidenceReader } from "./evidence-reader.ts"
import { withKernel } from "./with-kernel.ts"

type Shown = ConversationChange & { diff: string }

/**
 * `harness diff`: what a conversation did to files, each from before the first change to after the
 * last; what file actions did is told apart from what changed while commands ran.
 */
export function diff(
  conversation: string,
  { turn, json }: { turn?: number; json?: true },
  invocation: Invocation,
): Promise<number> {
  return withKernel(invocation, async kernel => {
    const changes = await ask(kernel, {
      type: "changes",
      conversation,
      ...(turn !== undefined && { turn }),
    })
    const { conversation: id, truncated } = changes
    const files = await withDiffs(kernel, id, changes.files)
    if (json) {
      const printed = { conversation: id, files, truncated }
      invocation.stdout.write(`${JSON.stringify(printed, null, 2)}\n`)
    } else {
      print(files, truncated, invocation)
    }
    return 0
  })
}

async function withDiffs(
  kernel: Pick<Kernel, "dispatch">,
  conversation: string,
  files: readonly ConversationChange[],
): Promise<Shown[]> {
  const read = evidenceReader(kernel, conversation)
  const shown: Shown[] = []
  // One after the other: a conversation may have changed thousands, and each is held in memory.
  for (const file of files) shown.push({ ...file, diff: await fileDiff(file, read) })
  return shown
}

const headings = [
  ["actions", "changed by actions"],
  ["commands", "changed while commands ran"],
  ["both", "changed by actions and while commands ran"],
] as const

function print(files: readonly Shown[], truncated: boolean, { stdout, env }: Invocation): void {
  const page = pageOn(stdout)
  const paint = paintFor(stdout, env)
  for (const [by, heading] of headings) {
    const changed = files.filter(file => file.by === by)
    if (changed.length === 0) continue
    page.gap()
    page.lines(paint.bold(heading))
    for (const file of changed) page.lines(...diffLines(file.diff, paint))
  }
  if (files.length === 0) page.lines("no file was changed")
  if (truncated) {
    page.gap()
    page.lines("Commands changed more files than their receipts could name.")
  }
}
