import { type Outcome, type StepRow, type StepRows, stepRows } from "@harness/protocol"
import { dollars, elapsed, grouped, tokens } from "../text/format.ts"
import { type TableColumn, tableLines } from "../text/table.ts"
import { visible } from "../text/visible.ts"
import { clipped, clippedBefore } from "../text/width.ts"

/** What is known of the steps, as they happen; and the table of it. */
export interface StepTable extends Pick<StepRows, "event"> {
  /** One line a step with totals at the end, at most `columns` wide; none without a step. */
  lines(columns: number): string[]
}

export function stepTable(): StepTable {
  const steps = stepRows()
  return {
    event: steps.event,
    lines: columns => stepLines(steps.rows(), columns),
  }
}

/** Rows as the table's lines, the titles first. */
export function stepLines(rows: readonly StepRow[], columns: number): string[] {
  if (rows.length === 0) return []
  const table = columnsOf(rows).map(({ cell, total, ...column }) => ({
    ...column,
    cells: [...rows.map(cell), total?.(rows) ?? ""],
  }))
  return tableLines(table, { columns, dropped })
}

type Column = Omit<TableColumn, "cells"> & {
  cell: (row: StepRow) => string
  total?: (rows: readonly StepRow[]) => string
}

/** In the order in which they stand; without those of tokens that no provider told of. */
function columnsOf(rows: readonly StepRow[]): Column[] {
  const turns = new Set(rows.map(({ turn }) => turn))
  const cached = rows.map(({ usage }) => usage.cached_input_tokens)
  const untold = new Set([
    ...(cached.includes(null) && !cached.some(tokens => tokens) ? ["cached"] : []),
    ...(rows.some(({ usage }) => usage.reasoning_tokens) ? [] : ["reasoning"]),
  ])
  const step: Column = {
    title: "step",
    cell: row => (turns.size > 1 ? `${row.turn}.${row.step}` : String(row.step)),
    total: () => "all",
    side: "right",
  }
  return [step, ...otherColumns.filter(({ title }) => !untold.has(title))]
}

const otherColumns: readonly Column[] = [
  {
    title: "model",
    // Without the provider, which stands in the run's first lines.
    cell: ({ model }) => visible(model.slice(model.indexOf("/") + 1)),
    side: "right",
    narrowest: 12,
    clip: clippedBefore,
  },
  figures("in", ({ usage }) => usage.input_tokens, tokens),
  figures("cached", ({ usage }) => usage.cached_input_tokens, tokens),
  figures("out", ({ usage }) => usage.output_tokens, tokens),
  figures("reasoning", ({ usage }) => usage.reasoning_tokens, tokens),
  {
    title: "cost",
    cell: row => costOf(row.cost ?? 0, isWhole(row)),
    total: rows => costOf(sumOf(rows.map(({ cost }) => cost ?? 0)), rows.every(isWhole)),
    side: "left",
  },
  figures("duration", ({ durationMs }) => durationMs, blankOr(elapsed)),
  {
    title: "first token",
    cell: ({ firstTokenMs }) => blankOr(elapsed)(firstTokenMs),
    side: "left",
  },
  figures("overhead", ({ overheadMs }) => overheadMs, blankOr(milliseconds)),
  figures("actions", ({ actions }) => actions, blankOr(grouped)),
  {
    title: "outcome",
    cell: ({ outcomes }) => inShort(outcomes),
    side: "right",
    narrowest: 24,
    clip: clipped,
  },
]

/** Those that go first when the terminal is narrow: what else says it, or what is asked for least. */
const dropped: readonly string[] = [
  "reasoning",
  "actions",
  "first token",
  "overhead",
  "model",
  "cached",
  "in",
  "out",
  "duration",
  "cost",
]

function figures(
  title: string,
  figure: (row: StepRow) => number | null,
  shown: (figure: number | null) => string,
): Column {
  return {
    title,
    cell: row => shown(figure(row)),
    total: rows => totalOf(rows.map(figure), shown),
    side: "left",
  }
}

/** The sum; where some figures are unknown `≥` the sum of the others, for it is at least that. */
function totalOf(
  figures: readonly (number | null)[],
  shown: (figure: number | null) => string,
): string {
  const known = figures.filter(figure => figure !== null)
  const sum = sumOf(known)
  if (known.length === figures.length) return shown(sum)
  return sum === 0 ? shown(null) : `≥ ${shown(sum)}`
}

function isWhole({ cost, lostTries }: StepRow): boolean {
  return cost !== null && lostTries === 0
}

function costOf(cost: number, whole: boolean): string {
  if (whole) return dollars(cost)
  return cost === 0 ? dollars(null) : `≥ ${dollars(cost)}`
}

function sumOf(figures: readonly number[]): number {
  return figures.reduce((all, figure) => all + figure, 0)
}

/** `3 × ok · auto, denied`. */
function inShort(outcomes: readonly Outcome[]): string {
  const words = outcomes.map(({ word, count }) => (count === 1 ? word : `${count} × ${word}`))
  return visible(words.join(", ")) || "unknown"
}

/** Where there is nothing to know, nothing is shown. */
function blankOr(shown: (figure: number) => string): (figure: number | null) => string {
  return figure => (figure === null ? "" : shown(figure))
}

function milliseconds(ms: number): string {
  return ms < 100 ? `${ms.toFixed(1)} ms` : elapsed(ms)
}
