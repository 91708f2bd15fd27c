import type { ActionReceipt, Json, JsonObject, ProcessReceipt } from "@harness/protocol"
import { counted, elapsed } from "../text/format.ts"

/** What an action was called for, in short: the first text among its inputs (a path, a command). */
export function subjectOf(input: JsonObject): string {
  for (const value of Object.values(input)) {
    if (typeof value === "string") return value
    if (isWords(value)) return value.join(" ")
  }
  return ""
}

/** How an action ended, in short: `ok`, `conflict`, `denied (user)`, `exit 1`. */
export function outcomeOf(result: JsonObject, receipt: ActionReceipt): string {
  const { process } = receipt
  if (receipt.status === "denied") return deniedBy(result)
  if (typeof result.error === "string") return wordsOf(result.error)
  if (process) return process.status === "exited" ? exitOf(process) : wordsOf(process.status)
  return wordsOf(receipt.status)
}

/** True when the action did what it was called for. */
export function wentWell(result: JsonObject, receipt: ActionReceipt): boolean {
  const { process, status } = receipt
  if (status !== "ok" || typeof result.error === "string") return false
  if (process === undefined || process.status === "running") return true
  return process.status === "exited" && process.exit_code === 0
}

/** What a process leaves to be said after its outcome: how long it took and how much it printed. */
export function measuresOf({ elapsed_seconds, output_bytes }: ProcessReceipt): string[] {
  return [elapsed(elapsed_seconds * 1_000), counted(output_bytes, "byte")]
}

export function exitOf({ exit_code, signal }: ProcessReceipt): string {
  return signal === null ? `exit ${exit_code ?? "unknown"}` : `ended by ${signal}`
}

/** A word of the wire for people: `output_limit` is `output limit`. */
export function wordsOf(name: string): string {
  return name.replaceAll("_", " ")
}

function deniedBy({ by }: JsonObject): string {
  return typeof by === "string" ? `denied (${wordsOf(by)})` : "denied"
}

function isWords(value: Json): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every(word => typeof word === "string")
}
