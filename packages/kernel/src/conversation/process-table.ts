import { readFileSync } from "node:fs"
import { errnoOf } from "../config/errno.ts"

/** What the lock needs to know of the machine's processes. */
export interface ProcessTable {
  /** Of this process. */
  readonly pid: number
  /**
   * When a process started: digits that can only be compared; empty when the system does not tell.
   * Null when there is no such process, or only its unburied rest.
   */
  startOf(pid: number): string | null
}

/** The live table. The start is told on Linux, in clock ticks since the machine's. */
export function processTable(): ProcessTable {
  return { pid: process.pid, startOf }
}

function startOf(pid: number): string | null {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (errnoOf(error) === "ESRCH") return null
  }
  try {
    // The command's name, in parentheses, may hold spaces and parentheses itself.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    const state = fields[0]
    return state === "Z" || state === "X" ? null : (fields[19] ?? "")
  } catch {
    return ""
  }
}
