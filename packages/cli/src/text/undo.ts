import type { CommandAnswer, UndoneFile } from "@harness/protocol"
import { columnsOf } from "./columns.ts"
import { counted } from "./format.ts"
import { visible } from "./visible.ts"

type Undo = Extract<CommandAnswer, { type: "undo" }>

/** What an undo would do, or did, file by file. */
export function undoneText({ folder, files }: Pick<Undo, "folder" | "files">): string {
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

/** What it came to, in one line: `3 files undone · 1 file left as it is`. */
export function undoneSummary(files: readonly UndoneFile[]): string {
  const count = (status: UndoneFile["status"]) =>
    files.filter(file => file.status === status).length
  if (files.length === 0) return "no file was changed"
  const left = count("conflict")
  const done = count("done")
  return [
    ...(done > 0 ? [`${counted(done, "file")} undone`] : []),
    ...(left > 0 ? [`${counted(left, "file")} left as it is`] : []),
    ...(done + left === 0 ? ["nothing was changed"] : []),
  ].join(" · ")
}

export function canBeUndone({ status }: UndoneFile): boolean {
  return status === "restore" || status === "remove"
}
