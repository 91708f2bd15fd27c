import { readFileSync } from "node:fs"

/** Which processes of a worker run side by side: one that is not alone must mind the others. */
export interface Company {
  /** To be called before a process is started. */
  enter(): Presence
  /** Undefined when somebody is there; else tells whether nobody has come since. */
  calm(): (() => boolean) | undefined
}

export type Presence = {
  alone: boolean
  /**
   * When it has ended, or was not started. `last` is the process that goes after all others of it,
   * the first of its sandbox: while that is there, so may the others be.
   */
  leave(last?: number): void
}

export function companyOf(): Company {
  const present = new Set<symbol>()
  const leaving = new Set<number>()
  let entries = 0
  const isAlone = () => {
    for (const process of leaving) if (!isRunning(process)) leaving.delete(process)
    return present.size === 0 && leaving.size === 0
  }

  return {
    enter() {
      const alone = isAlone()
      const one = Symbol("process")
      present.add(one)
      entries += 1
      return {
        alone,
        leave(last) {
          if (present.delete(one) && last !== undefined) leaving.add(last)
        },
      }
    },

    calm() {
      const before = entries
      return isAlone() ? () => entries === before : undefined
    },
  }
}

/** One that has ended and was not waited for does not run. */
function isRunning(process: number): boolean {
  try {
    const stat = readFileSync(`/proc/${process}/stat`, "latin1")
    return stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3) !== "Z"
  } catch {
    return false
  }
}
