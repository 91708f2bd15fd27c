import type { AnswerTo, KernelCommand, StatisticsRow } from "@harness/protocol"
import { projectNames } from "./project-names.ts"
import { summaries } from "./summaries.ts"
import type { Spending } from "./summary.ts"

type Wanted = Pick<Extract<KernelCommand, { type: "statistics" }>, "by" | "since">

/**
 * What the conversations of a home have spent, summed by day, model or project. The logs are the
 * source; a log that cannot be read to its end counts as far as it can, and is named.
 */
export async function statistics(
  { by, since }: Wanted,
  { home }: { home: string },
): Promise<Extract<AnswerTo<"statistics">, { type: "statistics" }>> {
  const all = await summaries(home)
  const conversations = all.map(({ conversation }) => conversation)
  const nameOf = by === "project" ? await projectNames(home, conversations) : null
  const groups = new Map<string, StatisticsRow>()
  const total = emptyRow("all")

  for (const { conversation, summary } of all) {
    const counted = summary.spending.filter(({ day }) => since === undefined || day >= since)
    const places = new Set<string>()
    for (const spending of counted) {
      const group = nameOf?.(conversation.key) ?? (by === "day" ? spending.day : spending.model)
      const row = groups.get(group) ?? emptyRow(group)
      groups.set(group, row)
      add(row, spending)
      add(total, spending)
      if (!places.has(group)) row.conversations += 1
      places.add(group)
    }
    if (counted.length > 0) total.conversations += 1
  }

  const incomplete = all.flatMap(({ conversation: { id }, summary: { fault } }) =>
    fault === null ? [] : [{ conversation: id, reason: fault }],
  )
  const rows = [...groups.values()].toSorted(by === "day" ? byName : dearestFirst)
  return { type: "statistics", rows, total, incomplete }
}

function emptyRow(group: string): StatisticsRow {
  return {
    group,
    conversations: 0,
    turns: 0,
    steps: 0,
    input_tokens: 0,
    cached_input_tokens: 0,
    output_tokens: 0,
    reasoning_tokens: 0,
    cost: 0,
    steps_without_cost: 0,
    model_ms: 0,
    overhead_ms: 0,
  }
}

function add(row: StatisticsRow, spending: Spending): void {
  for (const figure of figures) row[figure] += spending[figure]
}

const figures = [
  "turns",
  "steps",
  "input_tokens",
  "cached_input_tokens",
  "output_tokens",
  "reasoning_tokens",
  "cost",
  "steps_without_cost",
  "model_ms",
  "overhead_ms",
] as const

function byName(one: StatisticsRow, other: StatisticsRow): number {
  return one.group < other.group ? -1 : 1
}

function dearestFirst(one: StatisticsRow, other: StatisticsRow): number {
  return other.cost - one.cost || byName(one, other)
}
