import { widthOf } from "../../text/width.ts"
import type { Styled } from "../contracts.ts"

const tab = "    "

/** A line as rows of at most `columns`, broken wherever the row is full: nothing of it is left out. */
export function rowsOf(line: Styled, columns: number): Styled[] {
  const text = line.replaceAll("\t", tab)
  const letters = text.includes("\u001b") ? text.replaceAll(stylePattern, "") : text
  if (letters.length <= columns && !beyondAscii.test(letters)) return [text]

  const rows: Styled[] = []
  let row = ""
  let width = 0
  const open = new Map<string, string>()
  for (const [piece, style] of text.matchAll(piecePattern)) {
    if (style !== undefined) {
      row += piece
      const end = ends.find(([opening]) => opening.test(style))?.[1]
      if (end === undefined) open.delete(style)
      else open.set(end, piece)
      continue
    }
    const wide = widthOf(piece)
    if (width + wide > columns && width > 0) {
      rows.push(open.size === 0 ? row : row + reset)
      row = [...open.values()].join("")
      width = 0
    }
    row += piece
    width += wide
  }
  return [...rows, row]
}

/** Words of a line, joined by ` · `, in as many rows as they need. */
export function wrappedWords(words: readonly string[], columns: number): string[] {
  const rows: string[] = []
  for (const word of words) {
    const last = rows.at(-1)
    const joined = last === undefined ? word : `${last} · ${word}`
    if (last !== undefined && widthOf(joined) <= columns) rows[rows.length - 1] = joined
    else rows.push(...rowsOf(word, columns))
  }
  return rows
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: styles are made of them
const stylePattern = /\u001b\[[\d;]*m/g

const beyondAscii = /[^\u0020-\u007e]/

// biome-ignore lint/suspicious/noControlCharactersInRegex: styles are made of them
const piecePattern = /\u001b\[([\d;]*)m|./gsu

const reset = "\u001b[0m"

/** Which code ends a style that another one begins, as `styleText` writes them. */
const ends: readonly (readonly [RegExp, string])[] = [
  [/^[12]$/, "22"],
  [/^3$/, "23"],
  [/^4$/, "24"],
  [/^7$/, "27"],
  [/^(3[0-8]|9[0-7])(;|$)/, "39"],
  [/^(4[0-8]|10[0-7])(;|$)/, "49"],
]
