import type { JsonObject } from "@harness/protocol"
import { useInput, usePaste } from "ink"
import { createElement as h, type ReactElement, useMemo, useRef } from "react"
import type { GateAnswer, GateProps } from "../contracts.ts"
import { beginDeciding, type Deciding, press, type Wish } from "./deciding.ts"
import { editingOf, inputWith } from "./edited.ts"
import { exactly } from "./exact.ts"
import { decidingRows } from "./foot.ts"
import { headRows, Rows } from "./frame.ts"
import { pasted } from "./line.ts"
import { seenInPager, writtenInEditor } from "./outside.ts"
import { positionIn } from "./pages.ts"
import { wrappedWords } from "./rows.ts"
import { settleMs } from "./settling.ts"
import { shownRequest, shownRules } from "./shown.ts"
import { shownEdit } from "./shown-edit.ts"
import { useCurrent } from "./use-current.ts"
import { type Matter, useShown } from "./use-shown.ts"

/** Leave for an action or a program. */
export function ActionGate(props: GateProps): ReactElement {
  const { request, columns, theme, rows, now, onAnswer } = props
  const state = useCurrent(() => beginDeciding(now()))
  const isAnswered = useRef(false)
  const look = { columns, theme }
  const offers = request.opened.offer !== undefined
  const editing = editingOf(request)

  const proposed = useMemo(() => shownRequest(request, look), [request, columns, theme])
  const rules = useMemo(() => shownRules(request, look), [request, columns, theme])
  const { edited, mode, top } = state.drawn
  const leave: Matter = edited
    ? { subject: edited, shown: edited.shown }
    : { subject: request.preview, shown: proposed }

  const head = headRows(props, "asks for your leave")
  const foot = decidingRows(state.drawn, { editing, offers }, look)
  const screen = useShown(props, {
    matter: mode === "scope" ? { subject: rules, shown: rules } : leave,
    room: Math.max(1, rows - head.length - foot.length - 1),
  })

  const update = (change: Partial<Deciding>) => state.set({ ...state.get(), ...change })
  const hint = (text: string) => update({ hint: text })
  const attempt = (work: Promise<void>) => {
    work.catch(error => hint(error instanceof Error ? error.message : String(error)))
  }

  async function answer(given: GateAnswer): Promise<void> {
    if (isAnswered.current) return
    isAnswered.current = true
    screen.keep(leave)
    if (given.save !== undefined) screen.keep({ subject: rules, shown: rules })
    isAnswered.current = await onAnswer(given)
    if (!isAnswered.current) hint("it was not taken: the reason stands above")
  }

  /** What was written is shown again before it can be approved. */
  async function change(draft: string): Promise<void> {
    if (editing === null || request.proposal === null) return
    const { input: before } = request.proposal
    const outcome = inputWith(before, editing, draft)
    if (outcome.status === "same") {
      update({ edited: null, draft: null, hint: "it is as it was proposed" })
    } else if (outcome.status === "invalid") {
      update({ draft, hint: `${outcome.reason}; e to go on with it` })
    } else {
      const shown = await shownChange(before, outcome.input, editing.key)
      const countsFromMs = now() + settleMs
      update({ draft, edited: { input: outcome.input, shown }, top: 0, countsFromMs, hint: "" })
    }
  }

  function shownChange(before: JsonObject, after: JsonObject, key: string | null) {
    return shownEdit({ before, after, key, facts: request.preview.command }, look)
  }

  async function write(text: string): Promise<void> {
    if (editing === null) return
    const written = await writtenInEditor({ name: editing.name, text }, props)
    if (written.status === "failed") hint(`${written.reason}: nothing was changed`)
    else await change(written.text)
  }

  async function view(): Promise<void> {
    const text = `${exactly(request.preview.text)}\n`
    const failed = await seenInPager({ name: fileNames[request.preview.format], text }, props)
    if (failed !== null) hint(failed)
  }

  function follow(wish: Wish): void {
    if (wish.type === "answer") attempt(answer(wish.answer))
    else if (wish.type === "changed") attempt(change(wish.text))
    else if (wish.type === "editor") attempt(write(wish.text))
    else if (wish.type === "view") attempt(view())
  }

  useInput((input, key) => {
    const { pages, wasShown } = screen
    const facts = { atMs: now(), columns, offers, editing, pages, wasShown: wasShown() }
    const pressed = press(state.get(), input, key, facts)
    state.set(pressed.state)
    follow(pressed.wish)
  })
  usePaste(text => {
    const { mode, line } = state.get()
    if (mode === "word" || mode === "command") update({ line: pasted(line, text, columns) })
  })

  const { room } = screen.pages
  const place = screen.fits || theme.screenReader ? [] : positionIn(top, screen.pages)
  const above = screen.fits ? [] : wrappedWords([...place, "all of it stands above"], columns)
  const window = theme.screenReader ? [] : screen.rows.slice(top, top + room)
  return h(Rows, { rows: [...head, ...window, ...above.map(theme.muted), ...foot] })
}

/** By which a pager or an editor knows the language. */
const fileNames = {
  diff: "preview.diff",
  command: "preview.sh",
  source: "preview.txt",
  text: "preview.txt",
}
