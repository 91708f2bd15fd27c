import type { EvidenceLink, FileState, ProcessReceipt } from "@harness/protocol"
import { type FileDiff, type FileSide, fileDiff } from "./file-diff.ts"
import type { ReadEvidence } from "./printer.ts"

/**
 * The files that changed in a run, each as it was before the first change and after the last. What
 * file actions did is told apart from what changed while commands ran.
 */
export interface ChangeList {
  add(receipt: Changing): void
  /** Unified diffs, by path; of what cannot be shown the sizes and why. */
  diffs(read: ReadEvidence): Promise<string[]>
  /** The same of files that changed while commands ran: a formatter changes hundreds. */
  commandDiffs(read: ReadEvidence): Promise<{ diffs: string[]; more: number }>
}

/** What an action, or a process that outlived its action, has left. */
export type Changing = { evidence: readonly EvidenceLink[]; process?: ProcessReceipt | undefined }

/** Diffs of so many files that commands changed are shown at the end of a run. */
const shownOfCommands = 20

/** Of the contents in `redacted` it is said that they are gone, and why. */
export function changeList(redacted: ReadonlySet<string> = new Set()): ChangeList {
  const byActions = new Map<string, FileDiff>()
  const byCommands = new Map<string, FileDiff>()

  function told({ path, before, after }: FileDiff): FileDiff {
    const side = (content: FileSide | null): FileSide | null =>
      content?.sha256 && redacted.has(content.sha256)
        ? { ...content, content: "redacted" }
        : content
    return { path, before: side(before), after: side(after) }
  }

  return {
    add({ evidence, process }) {
      for (const change of actionChanges(evidence)) add(byActions, told(change))
      for (const { path, before, after } of process?.changes?.files ?? []) {
        const side = (state: FileState | null) => state && stateSide(state, evidence)
        add(byCommands, told({ path, before: side(before), after: side(after) }))
      }
    },

    diffs: read => Promise.all(real(byActions).map(change => fileDiff(change, read))),

    async commandDiffs(read) {
      const changes = real(byCommands)
      const shown = changes.slice(0, shownOfCommands)
      const diffs = await Promise.all(shown.map(change => fileDiff(change, read)))
      return { diffs, more: changes.length - shown.length }
    },
  }
}

function actionChanges(evidence: readonly EvidenceLink[]): FileDiff[] {
  return evidence.flatMap(after => {
    const { path } = after
    if (after.role !== "after" || path === undefined) return []
    const before = evidence.find(link => link.role === "before" && link.path === path)
    return { path, before: before === undefined ? null : linkSide(before), after: linkSide(after) }
  })
}

function add(changes: Map<string, FileDiff>, change: FileDiff): void {
  const { path, after } = change
  const known = changes.get(path)
  changes.set(path, known === undefined ? change : { ...known, after })
}

function linkSide({ sha256, bytes, withheld }: EvidenceLink): FileSide {
  return { sha256, bytes, content: withheld ? "withheld" : "kept" }
}

function stateSide(
  { sha256, bytes, mode }: FileState,
  evidence: readonly EvidenceLink[],
): FileSide {
  const link = evidence.find(each => each.sha256 === sha256)
  return link === undefined
    ? { sha256, bytes, mode, content: "not_kept" }
    : { ...linkSide(link), mode }
}

function real(changes: ReadonlyMap<string, FileDiff>): FileDiff[] {
  return [...changes.values()].filter(isChange).toSorted(byPath)
}

/** Two contents that nobody read may be the same, and are not taken for it. */
function isChange({ before, after }: FileDiff): boolean {
  if (before === null || after === null) return before !== after
  return before.sha256 === null || before.sha256 !== after.sha256 || before.mode !== after.mode
}

function byPath(one: FileDiff, other: FileDiff): number {
  return one.path < other.path ? -1 : 1
}
