import type { ApprovalScope, JsonObject } from "@harness/protocol"
import type { Key } from "ink"
import type { GateAnswer } from "../contracts.ts"
import type { Editing } from "./edited.ts"
import { type Line, lineOf, noLine, textOf, typed } from "./line.ts"
import { type Pages, turned } from "./pages.ts"
import { countsFrom, settleMs, tooSoon } from "./settling.ts"
import type { Shown } from "./shown.ts"

/** Where a person is with a request for leave. */
export type Deciding = {
  /** `word`: types a word to the model; `scope`: sees the rules; `command`: changes the command. */
  mode: "decide" | "word" | "scope" | "command"
  line: Line
  /** The first row that is seen. */
  top: number
  countsFromMs: number
  /** What they put in the place of what was proposed, shown again before it can be approved. */
  edited: { input: JsonObject; shown: Shown } | null
  /** The text of the last change, fit to run or not: a change goes on from it. */
  draft: string | null
  hint: string
}

/** What a key asks for, beyond another state. */
export type Wish =
  | { type: "none" }
  | { type: "answer"; answer: GateAnswer }
  /** The command was typed: look whether it can be put in the place of the other. */
  | { type: "changed"; text: string }
  | { type: "editor"; text: string }
  | { type: "view" }

export type Facts = {
  atMs: number
  columns: number
  offers: boolean
  editing: Editing | null
  pages: Pages
  /** True when all that is decided about stands on the screen or above. */
  wasShown: boolean
}

const nothing: Wish = { type: "none" }

export function beginDeciding(atMs: number): Deciding {
  return {
    mode: "decide",
    line: noLine,
    top: 0,
    countsFromMs: atMs + settleMs,
    edited: null,
    draft: null,
    hint: "",
  }
}

/** What a key does. Enter alone approves nothing, and no key does before all was shown. */
export function press(
  before: Deciding,
  input: string,
  key: Key,
  facts: Facts,
): { state: Deciding; wish: Wish } {
  const { counts, fromMs } = countsFrom(before.countsFromMs, facts.atMs)
  const state = { ...before, countsFromMs: fromMs, hint: counts ? "" : tooSoon }
  if (!counts) return { state, wish: nothing }
  switch (state.mode) {
    case "decide":
      return decide(state, input, key, facts)
    case "word":
      return word(state, input, key, facts)
    case "scope":
      return scope(state, input, key, facts)
    case "command":
      return command(state, input, key, facts)
  }
}

type Pressed = { state: Deciding; wish: Wish }

function decide(state: Deciding, input: string, key: Key, facts: Facts): Pressed {
  const { edited } = state
  const { editing } = facts
  const stay = (change: Partial<Deciding>): Pressed => ({
    state: { ...state, ...change },
    wish: nothing,
  })
  const wish = (wished: Wish): Pressed => ({ state, wish: wished })

  if (key.ctrl || key.meta) return stay({})
  if (key.escape) return stay({ hint: "d denies it; Ctrl-C ends the turn" })
  if (input === "d") return stay({ mode: "word", line: noLine })
  const top = turned(state.top, input, key, facts.pages)
  if (top !== null) return stay({ top })
  switch (input) {
    case "a": {
      if (!facts.wasShown) return stay({})
      const changed = edited === null ? {} : { input: edited.input }
      return wish({ type: "answer", answer: { decision: "approve", ...changed } })
    }
    case "A":
      if (edited) return stay({ hint: "what you changed can be approved, not allowed for good" })
      if (!facts.offers) return stay({ hint: "this cannot be allowed for good" })
      // Rules are to be read before one of the next keys saves them.
      return stay({ mode: "scope", top: 0, countsFromMs: facts.atMs + settleMs })
    case "e": {
      if (editing === null) return stay({ hint: "this cannot be changed; deny it with a word" })
      const text = state.draft ?? editing.text
      return isTypedHere(editing, text)
        ? stay({ mode: "command", line: lineOf(text) })
        : wish({ type: "editor", text })
    }
    case "v":
      return wish({ type: "view" })
    default:
      return stay({})
  }
}

/** What is long, or has several lines, is easier to change in an editor. */
function isTypedHere({ at }: Editing, text: string): boolean {
  return at === "gate" && !text.includes("\n") && text.length <= typedHereMost
}

const typedHereMost = 500

function word(state: Deciding, input: string, key: Key, { columns }: Facts): Pressed {
  const { line, wish } = typed(state.line, input, key, columns)
  if (wish === "escape") return { state: back(state), wish: nothing }
  if (wish !== "enter") return { state: { ...state, line }, wish: nothing }
  const note = textOf(line).trim()
  const answer: GateAnswer = { decision: "deny", ...(note !== "" && { note }) }
  return { state: { ...state, line }, wish: { type: "answer", answer } }
}

function scope(state: Deciding, input: string, key: Key, facts: Facts): Pressed {
  if (key.escape) return { state: back(state), wish: nothing }
  const save = scopes[input]
  if (save !== undefined && facts.wasShown) {
    return { state, wish: { type: "answer", answer: { decision: "approve", save } } }
  }
  const top = turned(state.top, input, key, facts.pages)
  return { state: top === null ? state : { ...state, top }, wish: nothing }
}

const scopes: Readonly<Record<string, ApprovalScope>> = { c: "conversation", p: "project" }

function command(state: Deciding, input: string, key: Key, { columns }: Facts): Pressed {
  const { line, wish } = typed(state.line, input, key, columns)
  const text = textOf(line)
  if (wish === "escape") return { state: back(state), wish: nothing }
  if (wish === "enter") return { state: back(state), wish: { type: "changed", text } }
  if (wish === "outside") return { state: back(state), wish: { type: "editor", text } }
  return { state: { ...state, line }, wish: nothing }
}

function back(state: Deciding): Deciding {
  return { ...state, mode: "decide", top: 0 }
}
