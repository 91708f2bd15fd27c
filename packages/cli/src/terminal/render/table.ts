import type { Tokens } from "marked"
import { widthOf } from "../../text/width.ts"
import type { Look, Styled } from "../contracts.ts"
import { inlineSpans } from "./inline.ts"
import { type Span, styledLine, wrapped } from "./spans.ts"

/** The narrowest that a column gets. */
const leastColumns = 6

const between = "  "

/**
 * A table with its cells under each other, broken within their columns where the terminal is narrow.
 * Where even that has no room each row is a list of its cells.
 */
export function tableLines(table: Tokens.Table, look: Look): Styled[] {
  const { theme, columns } = look
  const titles = table.header.map(({ tokens }) => inlineSpans(tokens, ["strong"]))
  const rows = table.rows.map(row => row.map(({ tokens }) => inlineSpans(tokens)))
  const widths = widthsOf([titles, ...rows], columns)
  if (widths === null) return listed(titles, rows, look)

  const ruler = widths.map(width => "─".repeat(width)).join(between)
  return [
    ...rowLines(titles, widths, look),
    theme.muted(ruler),
    ...rows.flatMap(row => rowLines(row, widths, look)),
  ]
}

/** Each as wide as its widest cell; the widest give way until all fit. Null: they cannot. */
function widthsOf(rows: readonly Span[][][], columns: number): number[] | null {
  const count = Math.max(...rows.map(row => row.length))
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(1, ...rows.map(row => spansWidth(row[column] ?? []))),
  )
  const room = columns - between.length * (count - 1)
  for (let over = sum(widths) - room; over > 0; over = sum(widths) - room) {
    const widest = Math.max(...widths)
    if (widest <= leastColumns) return null
    const next = Math.max(leastColumns, ...widths.filter(width => width < widest))
    const column = widths.indexOf(widest)
    widths[column] = Math.max(next, widest - over, leastColumns)
    if (widths[column] === widest) widths[column] = widest - 1
  }
  return widths
}

function rowLines(row: readonly Span[][], widths: readonly number[], { theme }: Look): Styled[] {
  const cells = widths.map((width, column) => wrapped(row[column] ?? [], width))
  const height = Math.max(...cells.map(({ length }) => length))
  return Array.from({ length: height }, (_, at) =>
    widths
      .map((width, column) => {
        const spans = cells[column]?.[at] ?? []
        const isLast = column === widths.length - 1
        return styledLine(spans, theme) + (isLast ? "" : " ".repeat(width - spansWidth(spans)))
      })
      .join(between)
      .trimEnd(),
  )
}

function listed(titles: readonly Span[][], rows: readonly Span[][][], look: Look): Styled[] {
  const { theme, columns } = look
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : [""]),
    ...row.flatMap((cell, column) =>
      wrapped([...(titles[column] ?? []), { text: ": ", styles: [] }, ...cell], columns).map(line =>
        styledLine(line, theme),
      ),
    ),
  ])
}

function spansWidth(spans: readonly Span[]): number {
  return spans.reduce((width, { text }) => width + widthOf(text), 0)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0)
}
