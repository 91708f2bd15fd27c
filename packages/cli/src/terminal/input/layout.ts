import { clipped, widthOf } from "../../text/width.ts"
import { graphemesOf, graphemeWidth, shownOf } from "./graphemes.ts"
import { isMark, labelOf, type Piece, pieceAt } from "./pieces.ts"

/** One row of the terminal. */
export type Row = {
  /** Where its text begins. */
  start: number
  /** Where the cursor stands last in it: before the character that goes on in the next row. */
  end: number
  cells: readonly Cell[]
}

/** A character or a piece: harmless, and as wide as it says. */
type Cell = { at: number; shown: string; columns: number }

/** The text in rows of at most `columns`; each line break begins another one. */
export function rowsOf(text: string, pieces: readonly Piece[], columns: number): Row[] {
  const most = Math.max(2, columns)
  const rows: Row[] = []
  let start = 0
  let cells: Cell[] = []
  let width = 0
  const put = (end: number, nextStart: number) => {
    rows.push({ start, end, cells })
    start = nextStart
    cells = []
    width = 0
  }

  for (const { at, text: grapheme } of graphemesOf(text)) {
    if (grapheme === "\n") {
      put(at, at + 1)
      continue
    }
    const cell = cellOf({ at, text: grapheme }, pieces, most)
    if (cells.length > 0 && width + cell.columns > most) put(cells.at(-1)?.at ?? at, at)
    cells.push(cell)
    width += cell.columns
  }
  put(text.length, text.length)
  return rows
}

export type Position = { row: number; column: number }

/** Where a place in the text is seen. Between two rows of one line it is the beginning of the second. */
export function positionOf(rows: readonly Row[], at: number): Position {
  const row = Math.max(
    0,
    rows.findLastIndex(({ start }) => start <= at),
  )
  const before = rows[row]?.cells.filter(cell => cell.at < at) ?? []
  return { row, column: before.reduce((width, { columns }) => width + columns, 0) }
}

/** The place in a row that is nearest to the column, and not after it. */
export function placeAt(rows: readonly Row[], row: number, column: number): number {
  const { end, cells } = rows[row] ?? { end: 0, cells: [] }
  let width = 0
  for (const cell of cells) {
    if (width + cell.columns > column) return Math.min(cell.at, end)
    width += cell.columns
  }
  return end
}

function cellOf(
  { at, text }: { at: number; text: string },
  pieces: readonly Piece[],
  most: number,
): Cell {
  const piece = isMark(text) ? pieceAt(text, pieces) : undefined
  if (piece === undefined) {
    const shown = shownOf(text)
    return { at, shown, columns: shown === text ? graphemeWidth(text) : widthOf(shown) }
  }
  const shown = clipped(labelOf(piece), most)
  return { at, shown, columns: widthOf(shown) }
}
