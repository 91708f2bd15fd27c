import { boundaryAfter, boundaryBefore, graphemesOf } from "./graphemes.ts"
import { isMark } from "./pieces.ts"
import type { Line } from "./state.ts"

/** A place beside the cursor. */
export type Target =
  | "left"
  | "right"
  | "word_left"
  | "word_right"
  /** The beginning of what stands between spaces. */
  | "space_left"
  | "line_start"
  | "line_end"

export function targetFrom({ text, cursor }: Line, target: Target): number {
  switch (target) {
    case "left":
      return boundaryBefore(text, cursor)
    case "right":
      return boundaryAfter(text, cursor)
    case "word_left":
      return backOver(text, cursor, isWord)
    case "word_right":
      return forwardOver(text, cursor)
    case "space_left":
      return backOver(text, cursor, isNoSpace)
    case "line_start":
      return text.lastIndexOf("\n", cursor - 1) + 1
    case "line_end": {
      const end = text.indexOf("\n", cursor)
      return end === -1 ? text.length : end
    }
  }
}

/** Over what is between words, then over a word. */
function backOver(text: string, cursor: number, belongs: (grapheme: string) => boolean): number {
  const before = graphemesOf(text.slice(0, cursor))
  const wordEnd = before.findLastIndex(({ text: grapheme }) => belongs(grapheme))
  const gap = before.findLastIndex(
    ({ text: grapheme }, index) => index < wordEnd && !belongs(grapheme),
  )
  return wordEnd === -1 ? 0 : (before[gap + 1]?.at ?? 0)
}

function forwardOver(text: string, cursor: number): number {
  const after = graphemesOf(text.slice(cursor))
  const word = after.findIndex(({ text: grapheme }) => isWord(grapheme))
  if (word === -1) return text.length
  const gap = after.findIndex(({ text: grapheme }, index) => index > word && !isWord(grapheme))
  return gap === -1 ? text.length : cursor + (after[gap]?.at ?? 0)
}

/** A piece is a word: it goes as a whole. */
function isWord(grapheme: string): boolean {
  return /^[\p{L}\p{N}_]/u.test(grapheme) || isMark(grapheme)
}

function isNoSpace(grapheme: string): boolean {
  return !/^\s/.test(grapheme)
}
