import type { Preview } from "@harness/sdk"
import { type Decoded, decodeText } from "./utf8.ts"
import { grouped } from "./words.ts"

/** Two texts that differ nearly everywhere are not worth more time: they are shown whole. */
const DIFF_TIMEOUT_MS = 2_000

/** The unified diff that a person decides by; `before` is null for a file that does not exist. */
export async function diffPreview(
  path: string,
  before: Uint8Array | null,
  after: string,
): Promise<Preview> {
  const old: Decoded = before === null ? { status: "text", text: "" } : decodeText(before)
  if (old.status === "not_text") {
    const size = grouped(before?.length ?? 0)
    const heading = `${path} (${size} bytes, not UTF-8: it ${old.what}) is replaced as a whole by:`
    return { format: "text", text: `${heading}\n${after}` }
  }

  // Loaded here: only a preview needs it.
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import("diff")
  const oldName = before === null ? "/dev/null" : `a/${path}`
  const diff = createTwoFilesPatch(oldName, `b/${path}`, old.text, after, undefined, undefined, {
    context: 3,
    timeout: DIFF_TIMEOUT_MS,
    headerOptions: FILE_HEADERS_ONLY,
  })
  return { format: "diff", text: diff ?? wholeReplaced(oldName, path, old.text, after) }
}

function wholeReplaced(oldName: string, path: string, before: string, after: string): string {
  const removed = before.split("\n").map(line => `-${line}`)
  const added = after.split("\n").map(line => `+${line}`)
  const hunk = `@@ -1,${removed.length} +1,${added.length} @@`
  return [`--- ${oldName}`, `+++ b/${path}`, hunk, ...removed, ...added, ""].join("\n")
}
