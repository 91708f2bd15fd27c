import { codeOf } from "../thrown.ts"

/** Signals every member of a group; false when it has none any more. */
export function signalGroup(group: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-group, signal)
    return true
  } catch (error) {
    return codeOf(error) === "EPERM"
  }
}

/**
 * Windows knows no groups: the tree below the leader is ended at once, while its links are there,
 * which is while the leader is alive.
 */
export function endTree(leader: number): boolean {
  const ending = import("tree-kill").then(({ default: endAll }) => {
    // What it may say is that nothing is there any more.
    endAll(leader, "SIGKILL", () => undefined)
  })
  void ending.catch(() => undefined)
  return false
}
