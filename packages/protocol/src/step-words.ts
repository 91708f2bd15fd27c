import type { DurableEvent } from "./events.ts"
import type { JsonObject } from "./json.ts"
import type { ActionReceipt } from "./receipts.ts"

type Of<Type extends DurableEvent["type"]> = Extract<DurableEvent, { type: Type }>

/** Only of these a process's exit is the reader's business: a search uses one too. */
export function isExecution({ effect }: Of<"action_proposed">): boolean {
  return effect === "execute"
}

/**
 * How an action ended, and whether a person had a say: `ok · auto`, `exit 1 · auto`, `approved`,
 * `approved · exit 0`, `denied`, `conflict`, `approved · conflict`; `edited` in the place of `approved`
 * when it was the person's own input that ran.
 */
export function wordOfAction(
  { approved, edited, executes }: { approved: boolean; edited: boolean; executes: boolean },
  { result, receipt }: Of<"action_ended">,
): string {
  if (receipt.status === "denied") return "denied"
  const { word, went } = endOf(result, executes ? receipt : { ...receipt, process: undefined })
  const leave = edited ? "edited" : "approved"
  if (approved) return word === "ok" ? leave : `${leave} · ${word}`
  return went ? `${word} · auto` : word
}

/** `went`: it ran, and the word is its result and not what became of it. */
function endOf(
  { error }: JsonObject,
  { status, process }: ActionReceipt,
): { word: string; went: boolean } {
  if (status === "cancelled") return { word: "cancelled", went: false }
  if (typeof error === "string") return { word: codeOf(error), went: false }
  if (process === undefined) return { word: status, went: status === "ok" }

  const { exit_code, signal } = process
  if (process.status !== "exited")
    return { word: process.status, went: process.status === "running" }
  return { word: signal ?? `exit ${exit_code ?? "unknown"}`, went: true }
}

/** A package may say what it likes in its results: only what has the form of a code is a word of ours. */
export function codeOf(error: string): string {
  return /^[\w.:-]{1,60}$/.test(error) ? error : "error"
}

/** Null when its actions say it all. */
export function wordOfProgram(
  { status, exit_code: exitCode }: Of<"program_ended">,
  actions: number,
): string | null {
  if (status === "denied") return "denied"
  const isWell = status === "ok" || (status === "exit" && (exitCode === 0 || exitCode === null))
  if (isWell) return actions === 0 ? "ok" : null
  return status === "exit" ? `program exit ${exitCode}` : `program ${status}`
}
