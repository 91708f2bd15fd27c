import { controlFile, isReported } from "@harness/protocol"
import type { Difference } from "./differences.ts"
import { isControlName, type Snapshot } from "./snapshot.ts"

/** A receipt names so many, and leaves the rest to the list of changes. */
const NAMED_AT_MOST = 100

/** The differences in files that steer what others run: control files, and those like package.json. */
export function touchedIn(differences: readonly Difference[]): string[] {
  return differences
    .map(({ path }) => path)
    .filter(path => isReported(path) || (controlFile(path) !== null && !isSample(path)))
    .sort()
    .slice(0, NAMED_AT_MOST)
}

/** Changed files that have names which were not found below the root: perhaps they lie outside. */
export function hardLinksIn(differences: readonly Difference[], { files }: Snapshot): string[] {
  const linked = differences.filter(({ after }) => after?.type === "file" && after.links > 1)
  if (linked.length === 0) return []

  const namesOf = new Map<number, number>()
  for (const { inode, links } of files.values()) {
    if (links > 1) namesOf.set(inode, (namesOf.get(inode) ?? 0) + 1)
  }
  return linked
    .filter(({ after }) => after !== undefined && (namesOf.get(after.inode) ?? 0) < after.links)
    .map(({ path }) => path)
    .slice(0, NAMED_AT_MOST)
}

/**
 * Control files and folders that are not at the root's top or in its `.git`: the sandbox finds those
 * by itself. What lies in one that is named is not named again.
 */
export function deepControls({ control }: Snapshot): string[] {
  const deep = control.filter(path => !isControlName(path.split("/", 1)[0] ?? "")).sort()
  const named = new Set<string>()
  for (const path of deep) {
    const parents = path.split("/").map((_, at, names) => names.slice(0, at).join("/"))
    if (!parents.some(parent => named.has(parent))) named.add(path)
  }
  return [...named].slice(0, NAMED_AT_MOST)
}

/** git never runs the examples that it puts into every new repository. */
function isSample(path: string): boolean {
  return path.endsWith(".sample")
}
