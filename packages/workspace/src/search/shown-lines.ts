import type { ActionContext } from "@harness/sdk"
import { decodeLossy } from "../text/utf8.ts"

/**
 * The lines of one file, read through the confined files: what ripgrep opens by a name can be
 * another file by then, and what it printed is shown only if it is there.
 */
export type FileLines =
  | { status: "lines"; at(line: number): string | undefined }
  /** It is gone, leads elsewhere now, or must not be read. */
  | { status: "unseen" }
  | { status: "too_large" }

/** A larger file is not held in memory for a few lines. */
const READ_BYTES = 64 * 1_048_576

const NEWLINE = 0x0a

export async function fileLines(path: string, { files }: ActionContext): Promise<FileLines> {
  const found = await files.read(path, { limitBytes: READ_BYTES })
  if (found.status === "refused") {
    return { status: found.error === "too_large" ? "too_large" : "unseen" }
  }

  const bytes = asRipgrepSees(found.bytes)
  let line = 1
  let start = 0
  return {
    status: "lines",
    at(wanted) {
      if (wanted < line) [line, start] = [1, 0]
      for (; line < wanted; line += 1) {
        const newline = bytes.indexOf(NEWLINE, start)
        if (newline === -1) return undefined
        start = newline + 1
      }
      const end = bytes.indexOf(NEWLINE, start)
      return withoutEnding(decodeLossy(bytes.subarray(start, end === -1 ? bytes.length : end)))
    },
  }
}

export function withoutEnding(line: string): string {
  return line.replace(/\n$/, "").replace(/\r$/, "")
}

/** Byte order marks are not in what it matches, and UTF-16 is UTF-8 to it. */
function asRipgrepSees(bytes: Uint8Array): Uint8Array {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return bytes.subarray(3)
  if (first === 0xff && second === 0xfe) return transcoded(bytes, "utf-16le")
  if (first === 0xfe && second === 0xff) return transcoded(bytes, "utf-16be")
  return bytes
}

function transcoded(bytes: Uint8Array, encoding: string): Uint8Array {
  return new TextEncoder().encode(new TextDecoder(encoding).decode(bytes))
}
