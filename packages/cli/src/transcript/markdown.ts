import { measuresOf, wordsOf } from "../printers/action-line.ts"
import { visible } from "../text/visible.ts"
import { oneLine } from "../text/width.ts"
import { type ActionWords, wordsOfAction, wordsOfCall } from "./action-words.ts"
import type { Exported } from "./export.ts"
import { factsOf, imageInWords, inputOf, restOf, titleOf } from "./shared.ts"
import type { TranscriptAction, TranscriptCall, TranscriptItem } from "./transcript.ts"

/** A conversation as Markdown. What was said is quoted, so that it cannot pass for the file's own form. */
export function markdownOf(exported: Exported): string {
  const { summary, items, steps } = exported
  const table = steps.length === 0 ? [] : ["## Steps", fenced(steps.join("\n"))]
  const blocks = [
    `# ${inText(titleOf(summary))}`,
    factsOf(summary)
      .map(([name, value]) => `- ${name}: ${code(value)}`)
      .join("\n"),
    ...items.flatMap(item => blocksOf(item, exported)),
    ...table,
  ]
  return `${blocks.join("\n\n")}\n`
}

function blocksOf(item: TranscriptItem, exported: Exported): string[] {
  switch (item.type) {
    case "turn":
      return [`## Turn ${item.turn} · ${item.at}`]
    case "user":
      return [
        "**User**",
        ...item.texts.map(quoted),
        ...item.images.map(image => `Picture: ${code(imageInWords(image))}`),
      ]
    case "assistant":
      return ["**Model**", quoted(item.text)]
    case "reasoning":
      return ["**Model, to itself**", quoted(item.text)]
    case "call":
      return callBlocks(item, exported)
    case "action": {
      const by = wordsOf(item.action.proposed.origin.type)
      return [
        lineOf(wordsOfAction(item.action), by),
        ...diffBlocks(item.action, exported),
        ...outputOf(item.action),
      ]
    }
    case "process": {
      const { status } = item.ended.process
      const outcome = [wordsOf(status), ...measuresOf(item.ended.process)].join(" · ")
      const title = oneLine(item.proposed?.action ?? "process")
      return [lineOf({ title, outcome, good: true }, "ended"), ...diffBlocks(item, exported)]
    }
    case "note":
      return [
        item.text
          .split("\n")
          .map(line => `*${inText(line)}*`)
          .join("  \n"),
      ]
    case "ending":
      return [`**${inText(oneLine(item.text))}**`]
  }
}

function callBlocks(call: TranscriptCall, exported: Exported): string[] {
  const { language, text } = inputOf(call)
  const { result } = call
  const rest = result === null ? null : restOf(result)
  return [
    lineOf(wordsOfCall(call), "call"),
    fenced(text, language),
    ...call.actions.flatMap(action => [
      lineOf(wordsOfAction(action), "action"),
      ...diffBlocks(action, exported),
    ]),
    ...(result === null || result.text === "" ? [] : ["Result:", fenced(result.text)]),
    ...(result?.images ?? []).map(image => `Picture: ${code(imageInWords(image))}`),
    ...(rest === null ? [] : [code(rest)]),
  ]
}

function lineOf({ title, outcome }: ActionWords, kind: string): string {
  const end = outcome === "" ? "" : ` · ${inText(oneLine(outcome))}`
  return `- ${kind} ${code(title)}${end}`
}

function diffBlocks(of: TranscriptAction | TranscriptItem, { diffs }: Exported): string[] {
  return (diffs.get(of) ?? []).map(diff => fenced(diff, "diff"))
}

/** No result tells a model of what the user ran: its output stands with it. */
function outputOf({ ended }: TranscriptAction): string[] {
  const output = ended?.result.output
  return typeof output === "string" && output !== "" ? [fenced(output)] : []
}

/** Text that is not to have a form of its own, in one line. */
function inText(text: string): string {
  return visible(text).replaceAll(/[\\`*_{}[\]<>#|!&~]/g, "\\$&")
}

/** A run of backticks longer than any in it keeps a text together. */
function code(text: string): string {
  const line = oneLine(visible(text))
  const mark = "`".repeat(longestRun(line, 0) + 1)
  const gap = line.startsWith("`") || line.endsWith("`") ? " " : ""
  return line === "" ? "" : `${mark}${gap}${line}${gap}${mark}`
}

function fenced(text: string, language = ""): string {
  const fence = "`".repeat(longestRun(text, 2) + 1)
  const info = /^[\w+-]{1,30}$/.test(language) ? language : ""
  return `${fence}${info}\n${visible(text).replace(/\n$/, "")}\n${fence}`
}

function longestRun(text: string, least: number): number {
  return Math.max(least, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
}

/** It stays Markdown, and ends where the quotation does: an open fence or comment too. */
function quoted(text: string): string {
  return visible(text.replace(/\n+$/, ""))
    .split("\n")
    .map(line => (line === "" ? ">" : `> ${line}`))
    .join("\n")
}
