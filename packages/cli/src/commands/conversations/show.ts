import type { ConversationSummary, DurableEvent } from "@harness/protocol"
import { ask } from "../../ask.ts"
import type { Invocation } from "../../invocation.ts"
import { type Page, pageOn } from "../../printers/page.ts"
import { stepTable } from "../../printers/steps.ts"
import { dollars } from "../../text/format.ts"
import { type Paint, paintFor } from "../../text/paint.ts"
import { visible } from "../../text/visible.ts"
import { clipped, oneLine } from "../../text/width.ts"
import { type ActionWords, wordsOfAction, wordsOfCall } from "../../transcript/action-words.ts"
import { type TranscriptItem, transcriptOf } from "../../transcript/transcript.ts"
import { withKernel } from "../with-kernel.ts"

/** `harness conversations show`: each turn in short, then the table of all steps. */
export function showConversation(
  conversation: string,
  { json }: { json?: true },
  invocation: Invocation,
): Promise<number> {
  const { stdout, env } = invocation
  return withKernel(invocation, async kernel => {
    const { summary, events } = await ask(kernel, { type: "show", conversation })
    if (json) for (const event of events) stdout.write(`${JSON.stringify(event)}\n`)
    else show({ summary, events }, pageOn(stdout), paintFor(stdout, env))
    return 0
  })
}

/** Lines of a message or an answer that are shown; the export has all. */
const shownLines = 6

function show(
  { summary, events }: { summary: ConversationSummary; events: readonly DurableEvent[] },
  page: Page,
  paint: Paint,
): void {
  page.lines(...headerOf(summary).map(line => clipped(visible(line), page.columns)))
  for (const item of transcriptOf(events)) showItem(item, page, paint)

  const table = stepTable()
  for (const event of events) table.event(event)
  const [titles, ...rows] = table.lines(page.columns)
  if (titles === undefined) return
  page.gap()
  page.lines(paint.bold(titles), ...rows)
}

function headerOf(summary: ConversationSummary): string[] {
  const { id, title, remote, folder, model, started_at, active_at, open } = summary
  return [
    `conversation ${id}${open ? " · open" : ""}`,
    `title        ${oneLine(title)}`,
    `project      ${[remote, folder].filter(place => place !== null).join(" · ") || "unknown"}`,
    `model        ${model}`,
    `from         ${started_at} to ${active_at}`,
    `cost         ${dollars(summary.cost)}`,
  ]
}

function showItem(item: TranscriptItem, page: Page, paint: Paint): void {
  switch (item.type) {
    case "turn":
      page.gap()
      page.lines(paint.bold(`turn ${item.turn} · ${item.at}`))
      break
    case "user": {
      const images = item.images.map(
        image => `[${image.media_type}, ${image.width}×${image.height}]`,
      )
      // What the project and the resume said stands before what the user said.
      page.lines(...inShort([item.texts.at(-1) ?? "", ...images].join("\n"), "> ", page))
      break
    }
    case "assistant":
      page.lines(...inShort(item.text, "", page))
      break
    case "reasoning":
      break
    case "call": {
      const calls = item.actions.length > 0 ? item.actions.map(wordsOfAction) : [wordsOfCall(item)]
      for (const words of calls) page.lines(lineOf(words, "  ", page, paint))
      break
    }
    case "action": {
      const { type } = item.action.proposed.origin
      const start = type === "user" ? "! " : `${type}: `
      page.lines(lineOf(wordsOfAction(item.action), start, page, paint))
      break
    }
    case "process":
      break
    case "note":
      if (item.bad) page.lines(paint.yellow(clipped(visible(oneLine(item.text)), page.columns)))
      break
    case "ending": {
      const colour = item.good ? paint.green : paint.red
      page.lines(colour(clipped(visible(oneLine(item.text)), page.columns)))
    }
  }
}

function inShort(text: string, start: string, { columns }: Page): string[] {
  const lines = visible(text.trim()).split("\n")
  const shown = lines.slice(0, shownLines).map(line => clipped(start + line, columns))
  return lines.length > shownLines ? [...shown, `${start}…`] : shown
}

function lineOf({ title, outcome, good }: ActionWords, start: string, page: Page, paint: Paint) {
  const end = ` · ${visible(oneLine(outcome))}`
  const room = Math.max(20, page.columns - start.length - end.length)
  return start + clipped(visible(title), room) + (good ? paint.dim : paint.yellow)(end)
}
