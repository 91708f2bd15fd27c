import type { ConversationChange, KeptFile, UndoneFile } from "@harness/protocol"
import { type CurrentFile, currentFile } from "./current-file.ts"

/** A change and what is to be done about it. */
export type Planned = { change: ConversationChange; file: UndoneFile }

/**
 * What can be taken back: a file that is as the conversation left it, and whose first content is at
 * hand or was none. All else is a conflict, with the reason, and is not touched.
 */
export async function planUndo(
  changes: readonly ConversationChange[],
  root: string,
): Promise<Planned[]> {
  const planned: Planned[] = []
  for (const change of changes) {
    const { path, by } = change
    const verdict = verdictOn(change, await currentFile(root, path))
    planned.push({ change, file: { path, by, ...verdict } })
  }
  return planned
}

type Verdict = Pick<UndoneFile, "status" | "reason">

function verdictOn({ before, after }: ConversationChange, now: CurrentFile): Verdict {
  if (isAs(now, before) && hasMode(now, before)) return { status: "nothing" }
  if (before?.type === "link" || after?.type === "link") {
    return conflict("it is or was a link, and links are not restored")
  }
  if (after !== null && after.sha256 === null) {
    return conflict("what the conversation left there was too large to be read")
  }
  if (!isAs(now, after)) return conflict(otherwise(now, after))
  if (before === null) return { status: "remove" }
  return before.content === "kept" ? { status: "restore" } : conflict(notAtHand[before.content])
}

function isAs(now: CurrentFile, then: KeptFile | null): boolean {
  if (then === null) return now.status === "absent"
  return now.status === "file" && then.type === "file" && now.sha256 === then.sha256
}

function hasMode(now: CurrentFile, then: KeptFile | null): boolean {
  return now.status !== "file" || then?.mode === undefined || now.mode === then.mode
}

function otherwise(now: CurrentFile, after: KeptFile | null): string {
  if (now.status === "absent") return "it is gone"
  if (now.status === "other") return "it is no file by now"
  return after === null ? "it is there again" : "it holds something else by now"
}

const notAtHand = {
  withheld: "it holds secrets, of which only the hash is kept",
  redacted: "what it held before was redacted",
  collected: "what it held before was collected by gc",
  not_kept: "what it held before was not kept",
} as const satisfies Record<Exclude<KeptFile["content"], "kept">, string>

function conflict(reason: string): Verdict {
  return { status: "conflict", reason }
}
