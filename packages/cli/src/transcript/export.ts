import type { ConversationSummary, DurableEvent } from "@harness/protocol"
import { changeList } from "../printers/changes.ts"
import type { ReadEvidence } from "../printers/printer.ts"
import { stepTable } from "../printers/steps.ts"
import { embeddedImages } from "./images.ts"
import { type TranscriptAction, type TranscriptItem, transcriptOf } from "./transcript.ts"

/** A conversation with all that its file shows. */
export type Exported = {
  summary: ConversationSummary
  items: readonly TranscriptItem[]
  /** Of an action, or of a process that ran on, the diffs of what it changed. */
  diffs: ReadonlyMap<TranscriptAction | TranscriptItem, readonly string[]>
  /** Of a picture's hash its `data:` URI, where it is kept. */
  images: ReadonlyMap<string, string>
  /** The step table's lines, the titles first. */
  steps: readonly string[]
}

/**
 * A whole conversation as the text of one file: messages, calls, results, diffs, pictures (HTML), the
 * step table. It needs no other file, runs nothing, and what others wrote cannot change its form.
 *
 * @example
 * const html = await exportText({ summary, events }, { format: "html", read })
 */
export async function exportText(
  { summary, events }: { summary: ConversationSummary; events: readonly DurableEvent[] },
  { format, read }: { format: "markdown" | "html"; read: ReadEvidence },
): Promise<string> {
  const items = transcriptOf(events)
  const exported = {
    summary,
    items,
    diffs: await diffsOf(items, events, read),
    steps: stepsOf(events),
  }
  if (format === "markdown") {
    const { markdownOf } = await import("./markdown.ts")
    return markdownOf({ ...exported, images: new Map() })
  }
  const { htmlOf } = await import("./html.ts")
  return htmlOf({ ...exported, images: await embeddedImages(items, read) })
}

async function diffsOf(
  items: readonly TranscriptItem[],
  events: readonly DurableEvent[],
  read: ReadEvidence,
): Promise<Exported["diffs"]> {
  const redacted = new Set(
    events.flatMap(event => (event.type === "evidence_redacted" ? [event.sha256] : [])),
  )
  const all = new Map<TranscriptAction | TranscriptItem, readonly string[]>()
  for (const { of, receipt } of items.flatMap(receiptsOf)) {
    const changes = changeList(redacted)
    changes.add(receipt)
    const byCommands = await changes.commandDiffs(read)
    const more = byCommands.more > 0 ? [`and ${byCommands.more} more files: see harness diff`] : []
    all.set(of, [...(await changes.diffs(read)), ...byCommands.diffs, ...more])
  }
  return all
}

type Left = {
  of: TranscriptAction | TranscriptItem
  receipt: Parameters<ReturnType<typeof changeList>["add"]>[0]
}

function receiptsOf(item: TranscriptItem): Left[] {
  if (item.type === "process") return [{ of: item, receipt: item.ended }]
  const actions = item.type === "call" ? item.actions : item.type === "action" ? [item.action] : []
  return actions.flatMap(action => {
    // What ended with an error kept what it meant to write, and did not write it.
    if (action.ended === null || "error" in action.ended.result) return []
    return [{ of: action, receipt: action.ended.receipt }]
  })
}

function stepsOf(events: readonly DurableEvent[]): string[] {
  const table = stepTable()
  for (const event of events) table.event(event)
  return table.lines(Number.POSITIVE_INFINITY)
}
