import { visible } from "../../text/visible.ts"
import { clipped, oneLine, padded, widthOf } from "../../text/width.ts"
import type { Look, Styled } from "../contracts.ts"
import type { Menu } from "./completion.ts"
import { type Position, positionOf, type Row, rowsOf } from "./layout.ts"
import type { EditorState } from "./state.ts"

/** The sign before the line, and the column that the cursor needs after a full row. */
const margin = 3

/** Choices that are shown at once. */
const mostChoices = 6

/** Columns of a row of the line. */
export function columnsIn({ columns }: Pick<Look, "columns">): number {
  return Math.max(2, columns - margin)
}

/**
 * The line as it is shown, with its menu under it: at most `rows`, those around the cursor.
 *
 * @returns the cursor by its row and column in these lines
 */
export function drawn(
  { state, menu, placeholder }: { state: EditorState; menu: Menu | null; placeholder: string },
  { rows, mark, ...look }: Look & { rows: number; mark: boolean },
): { lines: Styled[]; cursor: Position } {
  const below = menu === null ? [] : menuLines(menu, { rows: rows - 1, ...look })
  const search = searchLines(state, look)
  const room = Math.max(1, rows - below.length - search.length)
  const all = rowsOf(state.text, state.pieces, columnsIn(look))
  const { row, column } = positionOf(all, state.cursor)
  const first = Math.max(0, Math.min(row - Math.floor(room / 2), all.length - room))
  const shown = all.slice(first, first + room)

  const lines = shown.map((each, index) => {
    const at = mark && first + index === row ? state.cursor : null
    return `${signOf(first + index, { state, all, first, room }, look)} ${cellsOf(each, at, look)}`
  })
  const empty = state.text === "" ? look.theme.muted(clipped(placeholder, columnsIn(look))) : ""
  return {
    lines: [...search, ...lines.map(line => line + empty), ...below],
    cursor: { row: search.length + row - first, column: column + margin - 1 },
  }
}

/** `›` before the first row; where rows are out of sight, an arrow that way. */
function signOf(
  row: number,
  {
    state,
    all,
    first,
    room,
  }: { state: EditorState; all: readonly Row[]; first: number; room: number },
  { theme }: Look,
): Styled {
  if (row === 0) return theme[state.text.startsWith("!") ? "warning" : "accent"]("›")
  if (row === first) return theme.muted("↑")
  return row === first + room - 1 && row < all.length - 1 ? theme.muted("↓") : " "
}

/** @param cursor where it is marked in the row; null: it is not in it, or the terminal shows its own */
function cellsOf({ cells }: Row, cursor: number | null, { theme }: Look): Styled {
  const shown = cells.map(cell => (cell.at === cursor ? theme.inverse(cell.shown) : cell.shown))
  const isAfter = cursor !== null && cells.every(({ at }) => at < cursor)
  return shown.join("") + (isAfter ? theme.inverse(" ") : "")
}

function searchLines({ search }: EditorState, { theme, columns }: Look): Styled[] {
  if (search === null) return []
  const none = search.back === null && search.letters !== "" ? " · none" : ""
  return [theme.muted(clipped(`earlier messages: ${visible(search.letters)}${none}`, columns))]
}

function menuLines(
  { choices, at }: Menu,
  { rows, theme, columns }: Look & { rows: number },
): Styled[] {
  const room = Math.max(1, Math.min(mostChoices, rows, choices.length))
  const first = Math.max(0, Math.min(at - Math.floor(room / 2), choices.length - room))
  const shown = choices.slice(first, first + room)
  const width = Math.max(...shown.map(({ value }) => widthOf(plain(value))))
  return shown.map(({ value, note }, index) => {
    const isPicked = first + index === at
    const name = note === undefined ? plain(value) : padded(plain(value), width, "right")
    const line = note === undefined ? name : `${name}  ${plain(note)}`
    const text = clipped(`${isPicked ? "▸" : " "} ${line}`, columns)
    return isPicked ? theme.accent(text) : theme.muted(text)
  })
}

function plain(text: string): string {
  return oneLine(visible(text)).replaceAll("\t", " ")
}
