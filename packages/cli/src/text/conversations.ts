import type { ConversationSummary, Ending } from "@harness/protocol"
import { dollars, grouped } from "./format.ts"
import { type TableColumn, tableLines } from "./table.ts"
import { visible } from "./visible.ts"
import { clipped, clippedBefore, oneLine } from "./width.ts"

/** Conversations as a table of at most `columns`, the titles first. */
export function conversationLines(
  conversations: readonly ConversationSummary[],
  { columns, nowMs, projects }: { columns: number; nowMs: number; projects: boolean },
): string[] {
  const column = (
    title: string,
    cell: (conversation: ConversationSummary) => string,
    side: TableColumn["side"] = "left",
  ): TableColumn => ({ title, cells: conversations.map(cell), side })

  const table: TableColumn[] = [
    column("id", ({ short_id }) => short_id, "right"),
    column("age", ({ active_at }) => ageOf(nowMs - Date.parse(active_at))),
    column("turns", ({ turns }) => grouped(turns)),
    column("steps", ({ steps }) => grouped(steps)),
    column("cost", ({ cost }) => dollars(cost)),
    column("ending", endingOf, "right"),
    ...(projects
      ? [{ ...column("project", projectOf, "right"), narrowest: 16, clip: clippedBefore }]
      : []),
    { ...column("title", titleOf, "right"), narrowest: 16, clip: clipped },
  ]
  return tableLines(table, { columns, dropped })
}

/** Those that go first when the terminal is narrow. */
const dropped = ["steps", "project", "cost", "turns", "ending", "age"]

/** How long something is ago, in its largest unit: `12 s`, `5 m`, `3 h`, `40 d`. */
export function ageOf(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} m`
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`
  return `${grouped(Math.floor(seconds / 86_400))} d`
}

function endingOf({ open, ending }: ConversationSummary): string {
  if (open) return "open"
  return ending === null ? "cut off" : endingInWords(ending)
}

/** `answered`, `limit reached: cost`, `failed: provider_failed`. */
export function endingInWords(ending: Ending): string {
  if (ending.status === "limit_reached") return `limit reached: ${ending.limit}`
  return ending.status === "failed" ? `failed: ${ending.failure.code}` : ending.status
}

function projectOf({ remote, folder }: ConversationSummary): string {
  return visible(remote ?? folder ?? "unknown")
}

function titleOf({ title }: ConversationSummary): string {
  return oneLine(visible(title))
}
