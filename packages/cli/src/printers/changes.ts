import type { ActionReceipt, EvidenceLink } from "@harness/protocol"
import { counted } from "../text/format.ts"
import type { ReadEvidence } from "./printer.ts"

/** The files that actions changed: each as it was before the first change and after the last. */
export interface ChangeList {
  add(receipt: ActionReceipt): void
  /** Unified diffs, by path; of what is no text or too large the sizes. */
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
      return Promise.all(real.map(change => diffOf(change, read)))
    },
  }
}

/** More than this is not read into the terminal's process. */
const shownBytes = 1_048_576

/** Two texts that differ nearly everywhere are not worth more time. */
const diffTimeoutMs = 2_000

async function diffOf(change: Change, read: ReadEvidence): Promise<string> {
  const { path, before, after } = change
  const [old, now] = await Promise.all([before && textOf(before, read), textOf(after, read)])
  if (now === undefined || old === undefined) return sizesOf(change)

  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import("diff")
  const oldName = before === null ? "/dev/null" : `a/${path}`
  const options = { context: 3, timeout: diffTimeoutMs, headerOptions: FILE_HEADERS_ONLY }
  const patch = createTwoFilesPatch(
    oldName,
    `b/${path}`,
    old ?? "",
    now,
    undefined,
    undefined,
    options,
  )
  return patch ?? sizesOf(change)
}

async function textOf(
  { sha256, bytes }: EvidenceLink,
  read: ReadEvidence,
): Promise<string | undefined> {
  const content = bytes > shownBytes ? null : await read(sha256)
  if (content === null) return undefined

  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content)
  } catch {
    return undefined
  }
}

function sizesOf({ path, before, after }: Change): string {
  const was = before === null ? "created" : counted(before.bytes, "byte")
  return `${path}: ${was} -> ${counted(after.bytes, "byte")}`
}

function isChange({ before, after }: Change): boolean {
  return before?.sha256 !== after.sha256
}

function byPath(one: Change, other: Change): number {
  return one.path < other.path ? -1 : 1
}
