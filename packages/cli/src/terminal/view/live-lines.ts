import { elapsed } from "../../text/format.ts"
import { visible } from "../../text/visible.ts"
import { clipped } from "../../text/width.ts"
import type { Look, Styled } from "../contracts.ts"
import { markdownLines } from "../render/markdown.ts"
import type { LiveCall, Phase, View } from "./view.ts"

/** Lines of what a command prints that are shown while it runs. */
const tailLines = 5

/** Lines of what the model thinks. */
const thoughtLines = 3

/**
 * What happens now, at most `rows` lines: the end of what the model says, what runs and for how long,
 * what is waited for. Empty when nothing happens.
 */
export function liveLines(
  view: View,
  look: Look,
  { rows, nowMs }: { rows: number; nowMs: number },
): Styled[] {
  const { live, queued } = view
  const phase = phaseLines(live.phase, view, { look, nowMs })
  const waiting = queued.map(({ text }) =>
    look.theme.muted(clipped(`queued: ${firstLine(text)}`, look.columns)),
  )
  const below = [...phase, ...waiting].slice(-rows)
  // What is redrawn is read out again: it is said when it is whole.
  const texts = look.theme.screenReader
    ? []
    : [...saidLines(view, look), ...programLines(view, look)]
  const body = [...texts, ...live.calls.flatMap(call => callLines(call, { look, nowMs }))]
  const room = rows - below.length
  return [...(room > 0 ? body.slice(-room) : []), ...below]
}

function saidLines({ live }: View, look: Look): Styled[] {
  if (live.text !== "") {
    const lines = markdownLines(live.text, look).map(tabless)
    return live.continues ? lines : ["", ...lines]
  }
  const thoughts = live.reasoning.trim().split("\n").filter(Boolean).slice(-thoughtLines)
  return thoughts.map(line => look.theme.muted(clipped(tabless(visible(line)), look.columns)))
}

function programLines({ live }: View, { theme, columns }: Look): Styled[] {
  if (live.program === null) return []
  const lines = lastLines(live.program.tail)
  return lines.map(line => theme.muted(clipped(`  │ ${line}`, columns)))
}

function callLines(call: LiveCall, { look, nowMs }: { look: Look; nowMs: number }): Styled[] {
  const { theme, columns } = look
  if (theme.screenReader) return [clipped(call.title, columns)]
  const end = stateOf(call, nowMs)
  const title = clipped(call.title, Math.max(20, columns - end.length - 2))
  const tail = call.state === "running" ? lastLines(call.tail) : []
  return [
    `${theme.accent("•")} ${title}${theme.muted(end)}`,
    ...tail.map(line => theme.muted(clipped(`  │ ${line}`, columns))),
  ]
}

function stateOf({ state, sinceMs, characters }: LiveCall, nowMs: number): string {
  switch (state) {
    case "written":
      return ` · ${characters} characters`
    case "proposed":
      return ""
    case "running":
      return ` · ${inSeconds(nowMs - sinceMs)}`
  }
}

function phaseLines(
  phase: Phase,
  { requests }: View,
  { look, nowMs }: { look: Look; nowMs: number },
): Styled[] {
  const { theme, columns } = look
  // Who is asked need not be told that it waits.
  if (phase.type === "idle" || requests.length > 0) return []
  const line = theme.screenReader ? words[phase.type] : phaseLine(phase, nowMs)
  return [theme.muted(clipped(line, columns))]
}

const words = {
  working: "working",
  compacting: "compacting",
  model_waiting: "waiting for the model",
}

function phaseLine(phase: Exclude<Phase, { type: "idle" }>, nowMs: number): string {
  switch (phase.type) {
    case "working":
      return `working ${inSeconds(nowMs - phase.sinceMs)} · Esc interrupts`
    case "compacting":
      return `summarising what went before ${inSeconds(nowMs - phase.sinceMs)}`
    case "model_waiting": {
      const seconds = Math.ceil(Math.max(0, phase.untilMs - nowMs) / 1_000)
      return `asking again in ${seconds} s: ${visible(phase.reason)}`
    }
  }
}

/** Whole seconds: it is redrawn once a second. */
function inSeconds(ms: number): string {
  return ms < 60_000 ? `${Math.max(0, Math.floor(ms / 1_000))} s` : elapsed(ms)
}

/** The last lines that are not empty; one that is not whole yet counts. */
function lastLines(text: string): string[] {
  return visible(text)
    .split(/[\r\n]+/)
    .filter(line => line.trim() !== "")
    .slice(-tailLines)
    .map(tabless)
}

function firstLine(text: string): string {
  const [first = "", ...more] = visible(text).trim().split("\n")
  return more.length === 0 ? first : `${first} …`
}

/** What is redrawn must be as wide as it is taken for. */
function tabless(text: string): string {
  return text.replaceAll("\t", "    ")
}
