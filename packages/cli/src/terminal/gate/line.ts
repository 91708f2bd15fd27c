import type { Key } from "ink"
import type { Look, Styled } from "../contracts.ts"
import { edit } from "../input/edit.ts"
import { keysOf, type LineKey } from "../input/keys.ts"
import { positionOf, rowsOf } from "../input/layout.ts"
import { wholeText } from "../input/pieces.ts"
import { type EditorState, emptyState, withText } from "../input/state.ts"

/** What is typed at the gate: a word to the model, a command, an answer. */
export type Line = EditorState

/** What a line asks for: it is whole, it is given up, or it shall be written in an editor. */
export type LineWish = "enter" | "escape" | "outside"

export const noLine: Line = emptyState

export function lineOf(text: string): Line {
  return text === "" ? emptyState : withText(emptyState, text)
}

export function textOf({ text, pieces }: Line): string {
  return wholeText(text, pieces)
}

/** The line after a key. Ctrl-C and Ctrl-Z are not the gate's. */
export function typed(
  line: Line,
  input: string,
  key: Key,
  columns: number,
): { line: Line; wish: LineWish | null } {
  if (key.ctrl && (input === "c" || input === "z")) return { line, wish: null }
  let typing = line
  for (const change of keysOf(input, key)) {
    const wish = wishOf(change)
    if (wish !== null) return { line: typing, wish }
    if (change.type === "complete" || change.type === "outside") continue
    typing = edit(typing, change, { columns: roomOf(columns), history: [] }).state
  }
  return { line: typing, wish: null }
}

/** A text that was pasted is part of the line, whatever it holds. */
export function pasted(line: Line, text: string, columns: number): Line {
  return edit(line, { type: "paste", text }, { columns: roomOf(columns), history: [] }).state
}

function wishOf({ type }: LineKey): LineWish | null {
  return type === "enter" || type === "escape" || type === "outside" ? type : null
}

/** The rows of the line around its cursor, at most so many. */
export function lineRows(line: Line, { columns, theme }: Look, most: number): Styled[] {
  const rows = rowsOf(line.text, line.pieces, roomOf(columns))
  const { row: cursorRow } = positionOf(rows, line.cursor)
  const cursor = (under: string) => (theme.colours ? theme.inverse(under || " ") : `▏${under}`)
  const shown = rows.map(({ cells }, index) => {
    const text = cells.map(cell => (cell.at === line.cursor ? cursor(cell.shown) : cell.shown))
    const isAfter = index === cursorRow && cells.every(cell => cell.at !== line.cursor)
    const start = index === 0 ? `${theme.accent("›")} ` : "  "
    return start + text.join("") + (isAfter ? cursor("") : "")
  })
  const from = Math.max(0, Math.min(cursorRow - most + 1, shown.length - most))
  return shown.slice(from, from + Math.max(1, most))
}

/** Before the line stands its sign, after it there may be the cursor. */
function roomOf(columns: number): number {
  return Math.max(2, columns - 3)
}
