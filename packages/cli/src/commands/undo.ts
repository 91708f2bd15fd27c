import { resolve } from "node:path"
import type { Kernel } from "@harness/kernel"
import { type CommandAnswer, failure } from "@harness/protocol"
import { ask } from "../ask.ts"
import { confirm } from "../confirm.ts"
import { watchInterruption } from "../interruption.ts"
import type { Invocation } from "../invocation.ts"
import { counted } from "../text/format.ts"
import { canBeUndone, undoneSummary, undoneText } from "../text/undo.ts"
import { withKernel } from "./with-kernel.ts"

export type UndoOptions = { turn?: number; folder?: string; dryRun?: true; yes?: true; json?: true }
type Undo = Extract<CommandAnswer, { type: "undo" }>

/**
 * `harness undo`: shows which files go back to what they were and, after a yes, puts them back. Exit
 * 1 when a file was left as it is because it is not as the conversation left it.
 */
export function undo(
  conversation: string,
  options: UndoOptions,
  invocation: Invocation,
): Promise<number> {
  const { turn, folder, dryRun, json } = options
  const meant = {
    conversation,
    ...(turn !== undefined && { turn }),
    ...(folder !== undefined && { folder: resolve(invocation.cwd, folder) }),
  }
  return withKernel(invocation, async kernel => {
    const planned = await ask(kernel, { type: "undo", ...meant, shown_seq: null })
    if (dryRun || !planned.files.some(canBeUndone)) return told(planned, options, invocation)

    if (!json && !options.yes) invocation.stdout.write(undoneText(planned))
    const agreed = options.yes ?? (await consent(planned, invocation))
    if (agreed !== true) return agreed

    const id = planned.conversation
    const done = await carryOut(kernel, { ...meant, conversation: id, shown_seq: planned.seq })
    return told(done, options, invocation)
  })
}

function carryOut(
  kernel: Kernel,
  command: { conversation: string; turn?: number; folder?: string; shown_seq: number },
): Promise<Undo> {
  return ask(kernel, { type: "undo", ...command })
}

function told(
  { type: _type, ...undone }: Undo,
  { json }: UndoOptions,
  { stdout }: Invocation,
): number {
  const { files } = undone
  const conflicts = files.filter(({ status }) => status === "conflict").length
  if (json) stdout.write(`${JSON.stringify(undone, null, 2)}\n`)
  else stdout.write(`${undoneText(undone)}${undoneSummary(files)}\n`)
  return conflicts === 0 ? 0 : 1
}

/** True, or the exit code of an undo that was not agreed to. */
async function consent({ files }: Undo, invocation: Invocation): Promise<true | number> {
  const { stdin, stderr } = invocation
  if (!stdin.isTTY || !stderr.isTTY) throw failure("confirmation_required", { command: "undo" })

  const interruption = watchInterruption(invocation)
  try {
    const question = `Undo ${counted(files.filter(canBeUndone).length, "file")}?`
    const yes = await confirm({ question, stdin, stderr, signal: interruption.first })
    if (yes) return true
    stderr.write(`${interruption.first.aborted ? "\n" : ""}nothing was undone\n`)
    return interruption.exit() ?? 1
  } finally {
    interruption.stop()
  }
}
