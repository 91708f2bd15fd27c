import { resolve } from "node:path"
import type { Kernel } from "@harness/kernel"
import { type CommandAnswer, failure, type UndoneFile } from "@harness/protocol"
import { ask } from "../ask.ts"
import { confirm } from "../confirm.ts"
import { watchInterruption } from "../interruption.ts"
import type { Invocation } from "../invocation.ts"
import { columnsOf } from "../text/columns.ts"
import { counted } from "../text/format.ts"
import { visible } from "../text/visible.ts"
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
    if (dryRun || !planned.files.some(canBeDone)) return told(planned, options, invocation)

    if (!json && !options.yes) invocation.stdout.write(linesOf(planned))
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
  else stdout.write(linesOf({ type: "undo", ...undone }) + summaryOf(files))
  return conflicts === 0 ? 0 : 1
}

function linesOf({ folder, files }: Undo): string {
  const rows = files.map(({ path, status, reason = "" }) => [words[status], path, reason])
  return visible(`in ${folder}\n${columnsOf(rows)}`)
}

const words = {
  restore: "will be restored",
  remove: "will be removed",
  done: "done",
  nothing: "as it was",
  conflict: "left as it is",
} as const satisfies Record<UndoneFile["status"], string>

function summaryOf(files: readonly UndoneFile[]): string {
  const count = (status: UndoneFile["status"]) =>
    files.filter(file => file.status === status).length
  if (files.length === 0) return "no file was changed\n"
  const left = count("conflict")
  const done = count("done")
  return [
    ...(done > 0 ? [`${counted(done, "file")} undone`] : []),
    ...(left > 0 ? [`${counted(left, "file")} left as it is`] : []),
    ...(done + left === 0 ? ["nothing was changed"] : []),
  ]
    .join(" · ")
    .concat("\n")
}

function canBeDone({ status }: UndoneFile): boolean {
  return status === "restore" || status === "remove"
}

/** True, or the exit code of an undo that was not agreed to. */
async function consent({ files }: Undo, invocation: Invocation): Promise<true | number> {
  const { stdin, stderr } = invocation
  if (!stdin.isTTY || !stderr.isTTY) throw failure("confirmation_required", { command: "undo" })

  const interruption = watchInterruption(invocation)
  try {
    const question = `Undo ${counted(files.filter(canBeDone).length, "file")}?`
    const yes = await confirm({ question, stdin, stderr, signal: interruption.first })
    if (yes) return true
    stderr.write(`${interruption.first.aborted ? "\n" : ""}nothing was undone\n`)
    return interruption.exit() ?? 1
  } finally {
    interruption.stop()
  }
}
