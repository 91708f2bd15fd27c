import type { StatisticsRow } from "@harness/protocol"
import { dollars, elapsed, grouped } from "./format.ts"
import { type TableColumn, tableLines } from "./table.ts"
import { visible } from "./visible.ts"
import { clippedBefore } from "./width.ts"

/** What was spent as a table, its total last, at most `columns` wide. */
export function statisticsLines(statistics: {
  rows: readonly StatisticsRow[]
  total: StatisticsRow
  /** What the rows are groups of; the first column's title. */
  by: string
  columns: number
}): string[] {
  const { rows, total, by, columns } = statistics
  const all = [...rows, total]
  const figures = (title: string, figure: (row: StatisticsRow) => string): TableColumn => {
    return { title, cells: all.map(figure), side: "left" }
  }
  const table: TableColumn[] = [
    {
      title: by,
      cells: all.map(({ group }) => visible(group)),
      side: "right",
      narrowest: 12,
      clip: clippedBefore,
    },
    figures("conversations", row => grouped(row.conversations)),
    figures("turns", row => grouped(row.turns)),
    figures("steps", row => grouped(row.steps)),
    figures("in", row => grouped(row.input_tokens)),
    figures("cached", row => grouped(row.cached_input_tokens)),
    figures("out", row => grouped(row.output_tokens)),
    ...(total.reasoning_tokens > 0
      ? [figures("reasoning", row => grouped(row.reasoning_tokens))]
      : []),
    figures("cost", costOf),
    ...(total.steps_without_cost > 0
      ? [figures("without cost", row => grouped(row.steps_without_cost))]
      : []),
    figures("model time", row => elapsed(row.model_ms)),
    figures("overhead", row => elapsed(row.overhead_ms)),
  ]
  return tableLines(table, { columns, dropped })
}

/** Those that go first when the terminal is narrow. */
const dropped = [
  "overhead",
  "reasoning",
  "model time",
  "turns",
  "conversations",
  "cached",
  "without cost",
  "in",
  "out",
  "steps",
]

/** What is known is what it is at least, when the price of some steps is not. */
function costOf({ cost, steps_without_cost: unknown }: StatisticsRow): string {
  if (unknown === 0) return dollars(cost)
  return cost === 0 ? dollars(null) : `≥ ${dollars(cost)}`
}
