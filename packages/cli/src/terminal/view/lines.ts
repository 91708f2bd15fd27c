import { wordsOf } from "../../printers/action-line.ts"
import { stepLines } from "../../printers/steps.ts"
import { counted, elapsed } from "../../text/format.ts"
import { limitLine } from "../../text/limits.ts"
import { permitLines } from "../../text/permits.ts"
import { visible } from "../../text/visible.ts"
import { clipped, oneLine, widthOf } from "../../text/width.ts"
import type { Look, Styled } from "../contracts.ts"
import { patchLines } from "../render/diff.ts"
import { markdownLines } from "../render/markdown.ts"
import { sourceLines } from "../render/source.ts"
import { detailLines } from "./details.ts"
import type { EndedCall, HistoryItem, Of } from "./view.ts"

/** What is printed of an item, without the empty lines around it. */
export function linesOf(item: HistoryItem, look: Look): Styled[] {
  const { theme, columns } = look
  switch (item.type) {
    case "opened":
      return openedLines(item.event, look)
    case "user":
      return userLines(item, look)
    case "text":
      return markdownLines(item.markdown, look)
    case "call":
      return callLines(item.call, look)
    case "program":
      return [
        theme.strong(`program ${item.program} · ${item.language}`),
        ...indented(sourceLines(item.source, item.language, look)),
      ]
    case "program_output": {
      const lines = item.lines.map(line => clipped(`  │ ${visible(line)}`, columns))
      return [...lines, ...(item.more ? ["  │ …"] : [])].map(theme.muted)
    }
    case "program_ended":
      return programEndLines(item.event, look)
    case "decision":
      return decisionLines(item, look)
    case "diff":
      return patchLines(item.text, look)
    case "notice":
      return visible(item.text)
        .split("\n")
        .map(item.level === "plain" ? theme.strong : theme[item.level])
    case "ending":
      return [endingLine(item, look)]
    case "table": {
      const [titles, ...rows] = stepLines(item.rows, columns)
      return titles === undefined ? [] : [theme.strong(titles), ...rows]
    }
    case "details":
      return detailLines(item.call, look)
    case "lines":
      return [...item.lines]
  }
}

/** How the line of an action starts, by what proposed it. */
const starts = { call: "", program: "  ", verify: "verification: ", undo: "undo: ", user: "! " }

function openedLines(
  event: Of<"conversation_started"> | Of<"conversation_resumed">,
  { theme, columns }: Look,
): Styled[] {
  const { harness_version, model, style, approve, sandbox, conversation } = event
  const contained = sandbox === "off" ? "sandbox off: commands run with your own authority" : ""
  const settings = [style, `approve ${approve}`, contained || `sandbox ${sandbox}`].join(" · ")
  const head = [`harness ${harness_version} · ${visible(model)}`, settings]
  const [, ...changes] = (event.type === "conversation_resumed" && event.told?.split("\n")) || []
  const goesOn =
    event.type === "conversation_resumed"
      ? [
          `conversation ${conversation} goes on in ${visible(event.folder)}`,
          changes.length === 0 ? "nothing changed since" : "what is not as it was:",
        ]
      : []
  return [
    ...[...head, ...goesOn].map(line => theme.muted(clipped(line, columns))),
    ...changes.map(line => theme.warning(visible(line))),
  ]
}

function userLines({ text, images }: { text: string; images: number }, { theme }: Look): Styled[] {
  const pictures = images === 0 ? [] : [theme.muted(`  ${counted(images, "image")}`)]
  const lines = visible(text).replace(/\n+$/, "").split("\n")
  const [first = "", ...more] = lines.map(theme.strong)
  return [`${theme.accent("›")} ${first}`, ...more.map(line => `  ${line}`), ...pictures]
}

/** The title gives way, not what came of it. */
function callLines(call: EndedCall, { theme, columns }: Look): Styled[] {
  const start = starts[call.from]
  const between = call.outcome.startsWith("error ") ? " " : " · "
  const end = call.outcome === "" ? "" : between + call.outcome
  const room = Math.max(20, columns - start.length - widthOf(end))
  const outcome = call.well ? theme.muted(end) : theme.warning(end)
  const wanted = permitLines(call.permits).map(line => clipped(`${start}  ${line}`, columns))
  return [
    start + clipped(call.title, room) + outcome,
    ...wanted.map(theme.muted),
    ...(call.from === "user" ? outputLines(call.result) : []),
  ]
}

/** Of a person's own command they want to see what it printed. */
function outputLines({ output, truncated }: EndedCall["result"]): Styled[] {
  if (typeof output !== "string" || output.trim() === "") return []
  const lines = visible(output).replace(/\n+$/, "").split("\n")
  return [...(truncated === true ? ["  …"] : []), ...indented(lines)]
}

function programEndLines(event: Of<"program_ended">, { theme }: Look): Styled[] {
  const { program, status, exit_code, error, calls, output_characters, elapsed_ms } = event
  const line = [
    `program ${program}`,
    status === "exit" ? `exit ${exit_code ?? 0}` : wordsOf(status),
    counted(calls, "call"),
    counted(output_characters, "character"),
    elapsed(elapsed_ms),
  ].join(" · ")
  const isWell = status === "ok" || status === "exit"
  const errors = error === null ? [] : visible(error).replace(/\n+$/, "").split("\n")
  return [isWell ? theme.muted(line) : theme.warning(line), ...indented(errors.map(theme.bad))]
}

function decisionLines(
  { event, title }: Extract<HistoryItem, { type: "decision" }>,
  { theme, columns }: Look,
): Styled[] {
  const { decision, note, input, saved, answer } = event
  const word = decision === "approve" ? "approved" : "denied"
  const said = [
    ...(answer === undefined ? [word] : [`answered: ${answer}`]),
    ...(input === undefined ? [] : ["changed before it ran"]),
    ...(saved === undefined ? [] : [`allowed for this ${saved.scope} from now on`]),
    ...(note === undefined ? [] : [`"${note}"`]),
  ].join(" · ")
  const end = oneLine(visible(said))
  const room = Math.max(20, columns - widthOf(end) - 5)
  return [theme.muted(`  ${clipped(oneLine(visible(title)), room)} · ${end}`)]
}

function endingLine(
  { ending, conversation, steps }: Extract<HistoryItem, { type: "ending" }>,
  { theme }: Look,
): Styled {
  switch (ending.status) {
    case "answered":
      return theme.good(`answered · ${counted(steps, "step")}`)
    case "interrupted":
      return theme.warning(`interrupted: ${visible(ending.reason)}`)
    case "failed": {
      const { code, message, next } = ending.failure
      const way = next === "" ? "" : ` ${next}`
      return theme.bad(oneLine(visible(`error ${code}: ${message}${way}`)))
    }
    case "limit_reached":
      return theme.bad(limitLine(ending, conversation))
  }
}

function indented(lines: readonly Styled[]): Styled[] {
  return lines.map(line => (line === "" ? "" : `    ${line}`))
}
