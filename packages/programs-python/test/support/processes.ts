import { readdirSync, readFileSync } from "node:fs"

/** The process ids of a process's children, on Linux. */
export function childrenOf(parent: number): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter(pid => Number.isInteger(pid) && parentOf(pid) === parent)
}

/** Those of its children that are interpreters. */
export function interpretersOf(parent: number): number[] {
  return childrenOf(parent).filter(pid => commandLine(pid).includes("/child/main.ts"))
}

export function isRunning(pid: number): boolean {
  return parentOf(pid) !== null
}

function parentOf(pid: number): number | null {
  try {
    const [, after = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(/\) (.*)/s)
    const [state, parent] = after.split(" ")
    return state === "Z" ? null : Number(parent)
  } catch {
    return null
  }
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8")
  } catch {
    return ""
  }
}
