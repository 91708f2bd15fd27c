import type { Look, Styled } from "../contracts.ts"
import { linesOf } from "./lines.ts"
import type { HistoryItem } from "./view.ts"

/** The lines of items that follow `before`, with an empty one where something else begins. */
export function printedLines(
  items: readonly HistoryItem[],
  before: HistoryItem | undefined,
  look: Look,
): Styled[] {
  return items.flatMap((item, index) => {
    const lines = linesOf(item, look)
    const gap = isApart(item, index === 0 ? before : items[index - 1])
    return gap && lines.length > 0 ? ["", ...lines] : lines
  })
}

function isApart(item: HistoryItem, before: HistoryItem | undefined): boolean {
  if (before === undefined) return false
  if (item.type === "text") return item.begins || before.type !== "text"
  return standAlone.has(item.type) || groupOf(item) !== groupOf(before)
}

const standAlone: ReadonlySet<HistoryItem["type"]> = new Set([
  "opened",
  "user",
  "program",
  "diff",
  "details",
  "table",
  "lines",
])

function groupOf({ type }: HistoryItem): string {
  const isWork = type === "call" || type === "decision" || type.startsWith("program")
  return isWork ? "work" : type
}
