import type { Reaper } from "./reaper.ts"
import { endTree, signalGroup } from "./signal-group.ts"

/** The groups that this worker answers for: the reaper knows each one until it is surely gone. */
export interface Groups {
  add(group: number): void
  /** False when the group has no member any more. */
  signal(group: number, signal: NodeJS.Signals): boolean
  /** The leader has exited: what it left gets TERM now, and KILL after the grace. */
  leaderExited(group: number): void
  /** KILL now to all that leaders left behind. */
  endLeftovers(): void
}

export function groupsOf(options: {
  reaper: Reaper
  graceSeconds: number
  platform: NodeJS.Platform
}): Groups {
  const { reaper } = options
  const signal = options.platform === "win32" ? endTree : signalGroup
  const leftovers = new Map<number, NodeJS.Timeout>()

  const end = (group: number) => {
    clearTimeout(leftovers.get(group))
    leftovers.delete(group)
    signal(group, "SIGKILL")
    reaper.release(group)
  }

  return {
    signal,
    add: group => reaper.register(group),

    leaderExited(group) {
      if (!signal(group, "SIGTERM")) return reaper.release(group)
      leftovers.set(
        group,
        setTimeout(() => end(group), options.graceSeconds * 1_000),
      )
    },

    endLeftovers() {
      for (const group of [...leftovers.keys()]) end(group)
    },
  }
}
