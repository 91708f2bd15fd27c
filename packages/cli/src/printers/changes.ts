import type { ActionReceipt, EvidenceLink } from "@harness/protocol"
import { type FileSide, fileDiff } from "./file-diff.ts"
import type { ReadEvidence } from "./printer.ts"

/** The files that actions changed: each as it was before the first change and after the last. */
export interface ChangeList {
  add(receipt: ActionReceipt): void
  /** Unified diffs, by path; of what cannot be shown the sizes and why. */
  diffs(read: ReadEvidence): Promise<string[]>
}

/** `before` is null for a file that was created. */
type Change = { path: string; before: EvidenceLink | null; after: EvidenceLink }

export function changeList(): ChangeList {
  const changes = new Map<string, Change>()

  return {
    add({ evidence }) {
      for (const after of evidence) {
        if (after.role !== "after" || after.path === undefined) continue
        const { path } = after
        const before = evidence.find(link => link.role === "before" && link.path === path) ?? null
        changes.set(path, { path, before, ...changes.get(path), after })
      }
    },
    async diffs(read) {
      const real = [...changes.values()].filter(isChange).toSorted(byPath)
      return Promise.all(
        real.map(({ path, before, after }) =>
          fileDiff({ path, before: before && sideOf(before), after: sideOf(after) }, read),
        ),
      )
    },
  }
}

function sideOf({ sha256, bytes, withheld }: EvidenceLink): FileSide {
  return { sha256, bytes, content: withheld ? "withheld" : "kept" }
}

function isChange({ before, after }: Change): boolean {
  return before?.sha256 !== after.sha256
}

function byPath(one: Change, other: Change): number {
  return one.path < other.path ? -1 : 1
}
