import { wholeCharacters } from "./utf8.ts"

/** Some lines of a text, as a range of its bytes. */
export type LineRange = {
  start: number
  end: number
  /** 1-based. */
  firstLine: number
  /** The line that the range ends in; `firstLine - 1` for a text without lines. */
  lastLine: number
}

const NEWLINE = 0x0a

/**
 * Finds `lines` lines from the 1-based `line`, as many as fit in `limitBytes`. A first line that
 * does not fit is cut between two characters. The newline at the end of a text opens no line.
 */
export function lineRange(
  bytes: Uint8Array,
  { line, lines, limitBytes }: { line: number; lines: number; limitBytes: number },
): LineRange {
  const start = afterNewlines(bytes, 0, line - 1)
  const wanted = afterNewlines(bytes, start, lines)
  if (wanted - start <= limitBytes) return rangeOf(bytes, line, start, wanted)

  const fitting = bytes.lastIndexOf(NEWLINE, start + limitBytes - 1) + 1
  if (fitting > start) return rangeOf(bytes, line, start, fitting)

  const cut = wholeCharacters(bytes.subarray(start), { limitBytes, continues: false })
  return rangeOf(bytes, line, start, start + cut.end)
}

export function countLines(bytes: Uint8Array): number {
  return newlinesIn(bytes) + (isOpen(bytes) ? 1 : 0)
}

function rangeOf(bytes: Uint8Array, firstLine: number, start: number, end: number): LineRange {
  return { start, end, firstLine, lastLine: firstLine - 1 + countLines(bytes.subarray(start, end)) }
}

function newlinesIn(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count += 1
  return count
}

function isOpen(bytes: Uint8Array): boolean {
  return bytes.length > 0 && bytes.at(-1) !== NEWLINE
}

/** The position after `count` newlines from `start`, or the end. */
function afterNewlines(bytes: Uint8Array, start: number, count: number): number {
  let position = start
  for (let left = count; left > 0; left -= 1) {
    const newline = bytes.indexOf(NEWLINE, position)
    if (newline === -1) return bytes.length
    position = newline + 1
  }
  return position
}
