import type { ActionReceipt, DurableEvent, JsonObject } from "@harness/protocol"
import type { Output } from "../invocation.ts"
import { counted, grouped } from "../text/format.ts"
import { limitLine } from "../text/limits.ts"
import type { Paint } from "../text/paint.ts"
import { permitLines } from "../text/permits.ts"
import { visible } from "../text/visible.ts"
import { clipped, oneLine } from "../text/width.ts"
import { measuresOf, outcomeOf, subjectOf, wentWell, wordsOf } from "./action-line.ts"
import { changeList } from "./changes.ts"
import { diffLines } from "./diff.ts"
import { liveLine } from "./live.ts"
import { type Page, pageOn } from "./page.ts"
import type { Printer, ReadEvidence, TurnEnd } from "./printer.ts"
import { programPrinter } from "./programs.ts"
import { receiptList } from "./receipts.ts"
import { stepTable } from "./steps.ts"
import { waitLine } from "./wait.ts"

/** Lines of a failed verification's output that are shown. */
const shownLines = 20

/** How the line of an action starts, by what proposed it. */
const starts = {
  call: "",
  program: "  ",
  verify: "verification: ",
  undo: "undo: ",
  user: "! ",
} as const

type Of<Type extends DurableEvent["type"]> = Extract<DurableEvent, { type: Type }>

/** The form for people: what the model says, each program and action, then receipts and totals. */
export function textPrinter(stdout: Output, paint: Paint): Printer {
  const page = pageOn(stdout)
  const programs = programPrinter(page, paint)
  const live = liveLine(page)
  const wait = waitLine(page, paint)
  const proposed = new Map<string, Of<"action_proposed">>()
  const changes = changeList()
  const receipts = receiptList()
  const table = stepTable()

  let header: string[] = []
  let saidInStep = false
  let verification: Of<"verification_ended"> | undefined

  return {
    event(event) {
      if ("seq" in event) table.event(event)
      wait.event(event)
      live.event(event)
      if (programs.event(event)) return

      switch (event.type) {
        case "conversation_started":
          header = headerOf(event, page)
          break
        case "conversation_resumed":
          header = [...headerOf(event, page), ...resumedLines(event)]
          break
        case "notice":
          page.lines(noticeOf(event, paint))
          break
        case "turn_started":
          page.lines(...header.map(paint.dim))
          header = []
          break
        case "step_started":
          saidInStep = false
          break
        case "text_delta":
          say(page, event.text, saidInStep)
          saidInStep ||= event.text !== ""
          break
        case "step_ended":
          if (!saidInStep) say(page, textOf(event), false)
          break
        case "step_failed":
          page.lines(paint.red(visible(`step ${event.step} failed: ${event.failure.message}`)))
          break
        case "compaction_ended":
          page.lines(paint.dim(compactionLine(event)))
          break
        case "action_proposed":
          proposed.set(event.action_id, event)
          break
        case "action_ended":
          showAction(event, proposed.get(event.action_id))
          break
        case "process_ended":
          changes.add(event)
          showProcess(event, proposed.get(event.action_id))
          break
        case "verification_ended":
          verification = event
          break
      }
    },

    async ended(turn, conversation, read) {
      wait.stop()
      live.stop()
      await showChanges(read)
      showReceipts()
      showTable()
      page.gap()
      if (verification) page.lines(verificationLine(verification, page, paint))
      page.lines(endingLine(turn, conversation, paint))
    },
  }

  function showAction(event: Of<"action_ended">, proposal: Of<"action_proposed"> | undefined) {
    const { action, result } = event
    const receipt = ofInterest(event.receipt, proposal)
    const title = titleOf(proposal, action)
    receipts.add(title, receipt)
    changes.add(receipt)

    const from = proposal?.origin.type ?? "call"
    const well = wentWell(result, receipt)
    if (from === "verify") page.gap()
    page.lines(
      actionLine(
        { ...event, receipt },
        { title, start: starts[from], well, columns: page.columns, paint },
      ),
    )
    const wanted = permitLines(proposal?.permits)
    page.lines(...wanted.map(line => paint.dim(clipped(`${starts[from]}  ${line}`, page.columns))))
    if (from === "verify" && !well) page.lines(...lastLines(result, page.columns).map(paint.dim))
  }

  /** The end of what an action left running, whenever it comes. */
  function showProcess(
    { process }: Of<"process_ended">,
    proposal: Of<"action_proposed"> | undefined,
  ) {
    const title = titleOf(proposal)
    receipts.add(title, { process })
    const end = ` · ${visible([wordsOf(process.status), ...measuresOf(process)].join(" · "))}`
    page.lines(paint.dim(clipped(title, Math.max(20, page.columns - end.length)) + end))
  }

  async function showChanges(read: ReadEvidence) {
    for (const diff of await changes.diffs(read)) {
      page.gap()
      page.lines(...diffLines(diff, paint))
    }
    const { diffs, more } = await changes.commandDiffs(read)
    if (diffs.length === 0) return

    page.gap()
    page.lines(paint.bold("changed while commands ran"))
    for (const diff of diffs) page.lines(...diffLines(diff, paint))
    if (more > 0) page.lines(paint.dim(`and ${counted(more, "more file")}: see harness diff`))
  }

  function showReceipts() {
    const lines = receipts.lines()
    if (lines.length === 0) return

    page.gap()
    page.lines(paint.bold("receipts"))
    for (const { title, receipt } of lines) {
      page.lines(`  ${clipped(title, page.columns - 2)}`, paint.dim(`    ${receipt}`))
    }
  }

  function showTable() {
    const [titles, ...rows] = table.lines(page.columns)
    if (titles === undefined) return

    page.gap()
    page.lines(paint.bold(titles), ...rows)
  }
}

function titleOf(proposal: Of<"action_proposed"> | undefined, action = "process"): string {
  const subject = visible(subjectOf(proposal?.input ?? {}))
  return oneLine(`${proposal?.action ?? action} ${subject}`)
}

/** Only a command's process is the reader's business: a search uses one too. */
function ofInterest(
  receipt: ActionReceipt,
  proposal: Of<"action_proposed"> | undefined,
): ActionReceipt {
  return proposal?.effect === "execute" ? receipt : { ...receipt, process: undefined }
}

/** An action's own words for its result go before ours; of a process we say how it ended. */
function actionLine(
  { summary, result, receipt }: Of<"action_ended">,
  line: { title: string; start: string; well: boolean; columns: number; paint: Paint },
): string {
  const { title, start, well, columns, paint } = line
  const colour = well ? paint.dim : paint.yellow
  if (summary !== undefined && !receipt.process) {
    const text = clipped(oneLine(visible(summary)), columns - start.length)
    return start + (well ? text : colour(text))
  }

  const measures = receipt.process ? measuresOf(receipt.process) : []
  const end = ` · ${visible([outcomeOf(result, receipt), ...measures].join(" · "))}`
  return start + clipped(title, Math.max(20, columns - start.length - end.length)) + colour(end)
}

/** Where it goes on, and what its model is told of the time in between. */
function resumedLines({ conversation, folder, told }: Of<"conversation_resumed">): string[] {
  const [, ...changes] = told?.split("\n") ?? []
  const what = changes.length === 0 ? "nothing changed since" : "what is not as it was:"
  return [
    `conversation ${conversation} goes on in ${visible(folder)}`,
    what,
    ...changes.map(visible),
  ]
}

function headerOf(
  started: Of<"conversation_started" | "conversation_resumed">,
  { columns }: Page,
): string[] {
  const { harness_version, model, style, approve, sandbox } = started
  const containment =
    sandbox === "off" ? "sandbox off: commands run with your own authority" : `sandbox ${sandbox}`
  return [
    clipped(`harness ${harness_version} · ${visible(model)}`, columns),
    clipped(`${style} · approve ${approve} · ${containment}`, columns),
  ]
}

/** A provider's notice says what the run is (recorded messages, say): it stands as it is. */
function noticeOf({ code, message }: Of<"notice">, paint: Paint): string {
  return code === "provider" ? paint.bold(visible(message)) : paint.dim(`note: ${visible(message)}`)
}

function compactionLine(event: Of<"compaction_ended">): string {
  if (event.status === "failed") {
    return visible(`compaction failed: ${event.reason ?? "nobody knows why"}`)
  }
  const { replaced, messages, tokens } = event
  const sizes = `${grouped(tokens.before)} → ${grouped(tokens.after)} tokens`
  return `compacted: ${counted(replaced, "message")} into ${messages.length}, ${sizes}`
}

function say(page: Page, text: string, goesOn: boolean): void {
  if (text === "") return
  if (!goesOn) page.gap()
  page.stream(text)
}

function textOf({ message }: Of<"step_ended">): string {
  return message.content.map(part => (part.type === "text" ? part.text : "")).join("")
}

/** The end of a command's output: enough to see why it failed. */
function lastLines({ output }: JsonObject, columns: number): string[] {
  if (typeof output !== "string" || output.trim() === "") return []
  const lines = visible(output.trimEnd()).split("\n").slice(-shownLines)
  return lines.map(line => clipped(`  │ ${line}`, columns))
}

function verificationLine(ended: Of<"verification_ended">, page: Page, paint: Paint): string {
  const { command, verification } = ended
  const colour = verification === "passed" ? paint.green : paint.red
  const line = `verification ${wordsOf(verification)} · `
  return colour(line + clipped(oneLine(visible(command)), Math.max(20, page.columns - line.length)))
}

function endingLine({ ending, spent }: TurnEnd, conversation: string, paint: Paint): string {
  if (ending.status === "limit_reached") return paint.red(limitLine(ending, conversation))
  const colour = ending.status === "answered" ? paint.green : paint.red
  return `${colour(wordsOf(ending.status))} · ${counted(spent.steps, "step")} · conversation ${conversation}`
}
