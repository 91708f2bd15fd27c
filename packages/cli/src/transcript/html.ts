import type { ImagePart } from "@harness/protocol"
import { measuresOf, wordsOf } from "../printers/action-line.ts"
import { visible } from "../text/visible.ts"
import { oneLine } from "../text/width.ts"
import { type ActionWords, wordsOfAction, wordsOfCall } from "./action-words.ts"
import type { Exported } from "./export.ts"
import { styleSheet } from "./html-style.ts"
import { factsOf, imageInWords, inputOf, restOf, titleOf } from "./shared.ts"
import type { TranscriptAction, TranscriptCall, TranscriptItem } from "./transcript.ts"

/**
 * A conversation as one HTML file: no script, nothing from elsewhere (its policy forbids both), and
 * every text of others is text.
 */
export function htmlOf(exported: Exported): string {
  const { summary, items, steps } = exported
  const title = escaped(titleOf(summary))
  const facts = factsOf(summary).map(
    ([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`,
  )
  return [
    "<!doctype html>",
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width">',
    `<title>${title}</title><style>${styleSheet}</style></head><body><main>`,
    `<h1>${title}</h1><dl>${facts.join("")}</dl>`,
    ...items.map(item => blockOf(item, exported)),
    ...(steps.length === 0 ? [] : [`<h2>Steps</h2>${preformatted(steps.join("\n"))}`]),
    "</main></body></html>\n",
  ].join("\n")
}

const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

function blockOf(item: TranscriptItem, exported: Exported): string {
  switch (item.type) {
    case "turn":
      return `<h2>Turn ${item.turn} <time>${escaped(item.at)}</time></h2>`
    case "user": {
      const said = item.texts.map(text => `<div class="text">${escaped(text)}</div>`)
      return block("user", "User", [...said, ...item.images.map(image => picture(image, exported))])
    }
    case "assistant":
      return block("model", "Model", [`<div class="text">${escaped(item.text)}</div>`])
    case "reasoning":
      return folded("Model, to itself", `<div class="text">${escaped(item.text)}</div>`)
    case "call":
      return callBlock(item, exported)
    case "action":
      return block(
        "call",
        lineOf(wordsOfAction(item.action), wordsOf(item.action.proposed.origin.type)),
        [...diffBlocks(item.action, exported), ...outputOf(item.action)],
      )
    case "process": {
      const { process } = item.ended
      const outcome = [wordsOf(process.status), ...measuresOf(process)].join(" · ")
      const words = { title: item.proposed?.action ?? "process", outcome, good: true }
      return block("call", lineOf(words, "ended"), diffBlocks(item, exported))
    }
    case "note":
      return `<p class="${item.bad ? "note bad" : "note"}">${escaped(item.text)}</p>`
    case "ending":
      return `<p class="${item.good ? "ending good" : "ending bad"}">${escaped(item.text)}</p>`
  }
}

function callBlock(call: TranscriptCall, exported: Exported): string {
  const { result } = call
  const rest = result === null ? null : restOf(result)
  const told = [
    ...(result === null || result.text === "" ? [] : [preformatted(result.text)]),
    ...(rest === null ? [] : [`<p class="note">${escaped(rest)}</p>`]),
  ]
  return block("call", lineOf(wordsOfCall(call), "call"), [
    folded(call.program === null ? "arguments" : "source", preformatted(inputOf(call).text)),
    ...call.actions.flatMap(action => [
      `<p>${lineOf(wordsOfAction(action), "action")}</p>`,
      ...diffBlocks(action, exported),
    ]),
    ...(told.length === 0 ? [] : [folded("result", told.join("\n"))]),
    ...(result?.images ?? []).map(image => picture(image, exported)),
  ])
}

/** `head` is HTML. */
function block(className: string, head: string, parts: readonly string[]): string {
  return `<section class="${className}"><h3>${head}</h3>\n${parts.join("\n")}\n</section>`
}

function folded(name: string, content: string): string {
  return `<details><summary>${escaped(name)}</summary>\n${content}\n</details>`
}

function lineOf({ title, outcome, good }: ActionWords, kind: string): string {
  const name = `${escaped(kind)} <code>${escaped(oneLine(title))}</code>`
  if (outcome === "") return name
  return `${name} · <span class="${good ? "good" : "bad"}">${escaped(oneLine(outcome))}</span>`
}

function diffBlocks(of: TranscriptAction | TranscriptItem, { diffs }: Exported): string[] {
  return (diffs.get(of) ?? []).map(diff => {
    const lines = diff.replace(/\n$/, "").split("\n").map(diffLine)
    return `<pre class="diff">${lines.join("\n")}</pre>`
  })
}

function diffLine(line: string): string {
  const kind = /^(---|\+\+\+|=====)/.test(line) ? "head" : kinds.get(line[0] ?? "")
  return kind === undefined ? escaped(line) : `<span class="${kind}">${escaped(line)}</span>`
}

const kinds = new Map([
  ["+", "added"],
  ["-", "removed"],
  ["@", "hunk"],
])

/** No result tells a model of what the user ran: its output stands with it. */
function outputOf({ ended }: TranscriptAction): string[] {
  const output = ended?.result.output
  return typeof output === "string" && output !== "" ? [folded("output", preformatted(output))] : []
}

function picture(image: ImagePart, { images }: Exported): string {
  const words = escaped(imageInWords(image))
  const uri = images.get(image.evidence)
  if (uri === undefined) return `<p class="note">Picture: ${words} (not kept)</p>`
  return `<figure><img src="${uri}" alt="${words}"><figcaption>${words}</figcaption></figure>`
}

function preformatted(text: string): string {
  return `<pre>${escaped(text.replace(/\n$/, ""))}</pre>`
}

/** Text as HTML text or an attribute's value; what would reorder or hide it is shown. */
function escaped(text: string): string {
  return visible(text).replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
