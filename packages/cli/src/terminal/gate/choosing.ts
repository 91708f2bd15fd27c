import type { Key } from "ink"
import type { GateAnswer } from "../contracts.ts"
import { type Line, noLine, textOf, typed } from "./line.ts"
import { countsFrom, settleMs, tooSoon } from "./settling.ts"

/** Where a person is with a question: at its options, or typing an answer of their own. */
export type Choosing = {
  mode: "options" | "text"
  /** Index of the option that Enter takes; `options.length` is an answer of one's own. Null: none yet. */
  picked: number | null
  line: Line
  countsFromMs: number
  hint: string
}

/** What can be answered; `free`: anything else too. */
export type Choices = { options: readonly string[]; free: boolean }

export function beginChoosing({ options, free }: Choices, atMs: number): Choosing {
  const mode = free && options.length === 0 ? "text" : "options"
  return { mode, picked: null, line: noLine, countsFromMs: atMs + settleMs, hint: "" }
}

/** What a key does: the state after it, and the answer when it gives one. */
export function choose(
  before: Choosing,
  input: string,
  key: Key,
  facts: Choices & { atMs: number; columns: number },
): { state: Choosing; answer: GateAnswer | null } {
  const { counts, fromMs } = countsFrom(before.countsFromMs, facts.atMs)
  const state = { ...before, countsFromMs: fromMs, hint: counts ? "" : tooSoon }
  if (!counts) return { state, answer: null }
  return state.mode === "text" ? own(state, input, key, facts) : option(state, input, key, facts)
}

type Chosen = { state: Choosing; answer: GateAnswer | null }

const refused: GateAnswer = { decision: "deny" }

type Facts = Choices & { columns: number }

function own(before: Choosing, input: string, key: Key, { options, columns }: Facts): Chosen {
  const { line, wish } = typed(before.line, input, key, columns)
  const state = { ...before, line }
  const text = textOf(line).trim()
  if (wish === "escape") {
    if (options.length > 0) return { state: { ...state, mode: "options" }, answer: null }
    return text === ""
      ? { state, answer: refused }
      : { state: { ...state, line: noLine }, answer: null }
  }
  const isWhole = wish === "enter" && text !== ""
  return { state, answer: isWhole ? { decision: "approve", answer: text } : null }
}

function option(state: Choosing, input: string, key: Key, choices: Facts): Chosen {
  const { options, free, columns } = choices
  const last = free ? options.length : options.length - 1
  const to = (picked: number): Chosen => ({
    state: { ...state, picked: Math.max(0, Math.min(picked, last)) },
    answer: null,
  })

  if (key.escape) return { state, answer: refused }
  if (key.upArrow) return to((state.picked ?? last + 1) - 1)
  if (key.downArrow) return to((state.picked ?? -1) + 1)
  if (key.return) return state.picked === null ? { state, answer: null } : take(state, choices)
  if (key.ctrl || key.meta) return { state, answer: null }
  if (/^[1-9]$/.test(input) && Number(input) <= last + 1) {
    return take({ ...state, picked: Number(input) - 1 }, choices)
  }
  if (!free || input === "") return { state, answer: null }
  const { line } = typed(noLine, input, key, columns)
  return { state: { ...state, mode: "text", line }, answer: null }
}

function take(state: Choosing, { options }: Choices): Chosen {
  const answer = options[state.picked ?? -1]
  if (answer === undefined) return { state: { ...state, mode: "text" }, answer: null }
  return { state, answer: { decision: "approve", answer } }
}
