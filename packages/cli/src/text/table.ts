import { padded, widthOf } from "./width.ts"

/** A column with what stands in each line. */
export type TableColumn = {
  title: string
  cells: readonly string[]
  /** Where the padding goes. */
  side: "left" | "right"
  /** How much of it must be left for it to be shown; without it all. */
  narrowest?: number
  clip?: (text: string, width: number) => string
}

/**
 * A table as lines of at most `columns`, the titles first. Where it has no room, columns are dropped in
 * the order of `dropped`; then those that can be clipped get what the others leave.
 *
 * @example
 * tableLines([{ title: "cost", cells: ["$0.0312"], side: "left" }], { columns: 80, dropped: [] })
 */
export function tableLines(
  table: readonly TableColumn[],
  { columns, dropped }: { columns: number; dropped: readonly string[] },
): string[] {
  let shown = table.map(measured)
  for (const title of dropped) {
    if (wholeOf(shown.map(({ narrowest }) => narrowest)) <= columns) break
    shown = shown.filter(column => column.title !== title)
  }
  const fitted = narrowed(shown, columns)

  const height = Math.max(...fitted.map(({ cells }) => cells.length))
  return Array.from({ length: height }, (_value, line) =>
    fitted
      .map(({ cells, clip, side, width }) => padded(clip(cells[line] ?? "", width), width, side))
      .join(between)
      .trimEnd(),
  )
}

const between = "  "

type Measured = Required<TableColumn> & { width: number }

function measured({ title, cells, side, narrowest, clip }: TableColumn): Measured {
  const all = [title, ...cells]
  const width = Math.max(...all.map(widthOf))
  return {
    title,
    cells: all,
    side,
    clip: clip ?? (text => text),
    width,
    narrowest: Math.min(width, narrowest ?? width),
  }
}

/** The first of those that can be clipped gives first. */
function narrowed(table: readonly Measured[], columns: number): Measured[] {
  let over = wholeOf(table.map(({ width }) => width)) - columns
  return table.map(column => {
    const width = over > 0 ? Math.max(column.narrowest, column.width - over) : column.width
    over -= column.width - width
    return { ...column, width }
  })
}

function wholeOf(widths: readonly number[]): number {
  return widths.reduce((all, width) => all + width, between.length * (widths.length - 1))
}
