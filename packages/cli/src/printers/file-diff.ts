import type { KeptFile } from "@harness/protocol"
import { counted } from "../text/format.ts"
import { wordsOf } from "./action-line.ts"
import type { ReadEvidence } from "./printer.ts"

/** One side of a change; null in its place means that the file did not exist. */
export type FileSide = Pick<KeptFile, "sha256" | "bytes" | "content" | "mode">

export type FileDiff = { path: string; before: FileSide | null; after: FileSide | null }

/** More than this is not read into the terminal's process. */
const shownBytes = 1_048_576

/** Two texts that differ nearly everywhere are not worth more time. */
const diffTimeoutMs = 2_000

/**
 * A change as a unified diff; where it cannot be shown (binary, too large, withheld, gone), one line
 * with the sizes and the reason.
 */
export async function fileDiff(change: FileDiff, read: ReadEvidence): Promise<string> {
  const { path, before, after } = change
  const [old, now] = await Promise.all([textOf(before, read), textOf(after, read)])
  if ("reason" in old) return sizesOf(change, old.reason)
  if ("reason" in now) return sizesOf(change, now.reason)
  if (old.text === now.text && before && after) return sizesOf(change, modesOf(before, after))

  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import("diff")
  const patch = createTwoFilesPatch(
    before === null ? nothing : `a/${path}`,
    after === null ? nothing : `b/${path}`,
    old.text,
    now.text,
    undefined,
    undefined,
    { context: 3, timeout: diffTimeoutMs, headerOptions: FILE_HEADERS_ONLY },
  )
  return patch ?? sizesOf(change, "too different to be shown")
}

const nothing = "/dev/null"

async function textOf(
  side: FileSide | null,
  read: ReadEvidence,
): Promise<{ text: string } | { reason: string }> {
  if (side === null) return { text: "" }
  if (side.content !== "kept") return { reason: `content ${wordsOf(side.content)}` }
  if (side.bytes > shownBytes) return { reason: "too large to be shown" }
  const content = side.sha256 === null ? null : await read(side.sha256)
  if (content === null) return { reason: "content missing" }

  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content)
    return text.includes("\0") ? { reason: "binary" } : { text }
  } catch {
    return { reason: "binary" }
  }
}

function sizesOf({ path, before, after }: FileDiff, why: string): string {
  const was = before === null ? "created" : counted(before.bytes, "byte")
  const is = after === null ? "removed" : counted(after.bytes, "byte")
  return `${path}: ${was} -> ${is} (${why})`
}

function modesOf(before: FileSide, after: FileSide): string {
  const octal = ({ mode }: FileSide) => (mode === undefined ? "unknown" : mode.toString(8))
  return `mode ${octal(before)} -> ${octal(after)}`
}
