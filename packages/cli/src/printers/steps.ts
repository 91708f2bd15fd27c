import type { DurableEvent, ToolMessage, Usage } from "@harness/protocol"
import { dollars, elapsed, grouped, tokens } from "../text/format.ts"
import { visible } from "../text/visible.ts"
import { clipped, clippedBefore, padded, widthOf } from "../text/width.ts"
import { wordsOf } from "./action-line.ts"

type Step = {
  number: number
  model: string
  usage: Pick<Usage, "input_tokens" | "output_tokens">
  cost: number | null
  startedMs: number
  endedMs: number
  actions: number
  outcome: string
}

/** What is known of the steps, as they happen; and the table of it. */
export interface StepTable {
  event(event: DurableEvent): void
  /** One line a step with totals at the end, at most `columns` wide; none without a step. */
  lines(columns: number): string[]
}

export function stepTable(): StepTable {
  const steps: Step[] = []

  return {
    event(event) {
      if (event.type === "step_started") {
        steps.push(stepFrom(event.step, event.model, Date.parse(event.at)))
      } else {
        const step = steps.at(-1)
        if (step) extend(step, event)
      }
    },
    lines: columns => (steps.length === 0 ? [] : laidOut(steps, columns)),
  }
}

function stepFrom(number: number, model: string, startedMs: number): Step {
  const usage = { input_tokens: null, output_tokens: null }
  const none = { usage, cost: null, actions: 0, outcome: "unknown" }
  return { number, model, startedMs, endedMs: startedMs, ...none }
}

/** A step lasts from its request to the results of its calls; what comes after is not its own. */
function extend(step: Step, event: DurableEvent): void {
  switch (event.type) {
    case "action_proposed":
      if ("call_id" in event.origin) step.actions += 1
      return
    case "step_ended":
      step.usage = event.usage
      step.cost = event.cost
      step.outcome = event.finish === "stop" ? "answer" : wordsOf(event.finish)
      break
    case "step_failed":
      step.outcome = event.failure.code
      break
    case "results":
      step.outcome = statusesOf(event.message)
      break
    default:
      return
  }
  step.endedMs = Date.parse(event.at)
}

function statusesOf({ content }: ToolMessage): string {
  return [...new Set(content.map(({ status }) => wordsOf(status)))].join(", ")
}

const titles = ["step", "model", "in", "out", "cost", "duration", "actions", "outcome"]
const modelColumn = titles.indexOf("model")
const outcomeColumn = titles.indexOf("outcome")
const between = "  "

/** The narrowest that the two columns of words get before the table is wider than the terminal. */
const narrowest = 8

function laidOut(steps: readonly Step[], columns: number): string[] {
  const rows = [titles, ...steps.map(rowOf), totalsOf(steps)]
  const widths = titles.map((_title, column) =>
    Math.max(...rows.map(row => widthOf(row[column] ?? ""))),
  )
  narrow(widths, modelColumn, columns)
  narrow(widths, outcomeColumn, columns)

  return rows.map(row =>
    row
      .map((cell, column) => cellOf(cell, column, widths[column] ?? 0))
      .join(between)
      .trimEnd(),
  )
}

/** Without the provider, which stands in the run's first lines. */
function rowOf(step: Step): string[] {
  const { input_tokens, output_tokens } = step.usage
  return [
    String(step.number),
    visible(step.model.slice(step.model.indexOf("/") + 1)),
    tokens(input_tokens),
    tokens(output_tokens),
    dollars(step.cost),
    elapsed(step.endedMs - step.startedMs),
    grouped(step.actions),
    step.outcome,
  ]
}

function totalsOf(steps: readonly Step[]): string[] {
  return [
    "all",
    "",
    tokens(sum(steps.map(({ usage }) => usage.input_tokens))),
    tokens(sum(steps.map(({ usage }) => usage.output_tokens))),
    dollars(sum(steps.map(({ cost }) => cost))),
    elapsed(steps.reduce((all, { startedMs, endedMs }) => all + endedMs - startedMs, 0)),
    grouped(steps.reduce((all, { actions }) => all + actions, 0)),
    "",
  ]
}

/** Null as soon as one is unknown: a sum without it would claim too little. */
function sum(numbers: readonly (number | null)[]): number | null {
  return numbers.reduce((all, number) => (all === null || number === null ? null : all + number), 0)
}

function narrow(widths: number[], column: number, columns: number): void {
  const whole = widths.reduce((all, width) => all + width, between.length * (widths.length - 1))
  const width = widths[column] ?? 0
  if (whole > columns)
    widths[column] = Math.max(Math.min(narrowest, width), width - whole + columns)
}

function cellOf(cell: string, column: number, width: number): string {
  if (column === modelColumn) return padded(clippedBefore(cell, width), width, "right")
  if (column === outcomeColumn) return clipped(cell, width)
  return padded(cell, width, column === 0 ? "right" : "left")
}
