import { ask } from "../ask.ts"
import type { Invocation } from "../invocation.ts"
import { type ChangedFile, grouped, notAllNamed, withDiffs } from "../printers/changed-files.ts"
import { diffLines } from "../printers/diff.ts"
import { pageOn } from "../printers/page.ts"
import { paintFor } from "../text/paint.ts"
import { withKernel } from "./with-kernel.ts"

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

function print(
  files: readonly ChangedFile[],
  truncated: boolean,
  { stdout, env }: Invocation,
): void {
  const page = pageOn(stdout)
  const paint = paintFor(stdout, env)
  for (const { heading, files: changed } of grouped(files)) {
    page.gap()
    page.lines(paint.bold(heading))
    for (const file of changed) page.lines(...diffLines(file.diff, paint))
  }
  if (files.length === 0) page.lines("no file was changed")
  if (truncated) {
    page.gap()
    page.lines(notAllNamed)
  }
}
