import type { JsonObject } from "@harness/protocol"
import { useInput, usePaste } from "ink"
import { createElement as h, type ReactElement, useMemo, useRef, useState } from "react"
import type { GateAnswer, GateProps, Look, Styled } from "../contracts.ts"
import { beginDeciding, type Deciding, type Facts, press, type Wish } from "./deciding.ts"
import { type Editing, editingOf, inputWith } from "./edited.ts"
import { exactly } from "./exact.ts"
import { headRows, Rows } from "./frame.ts"
import { lineRows, pasted } from "./line.ts"
import { seenInPager, writtenInEditor } from "./outside.ts"
import { positionIn } from "./pages.ts"
import { wrappedWords } from "./rows.ts"
import { settleMs } from "./settling.ts"
import { shownRequest, shownRules } from "./shown.ts"
import { shownEdit } from "./shown-edit.ts"
import { useShown } from "./use-shown.ts"

/** Leave for an action or a program. */
export function ActionGate(props: GateProps): ReactElement {
  const { request, columns, theme, rows, now, onAnswer } = props
  const [state, setState] = useState(() => beginDeciding(now()))
  const isAnswered = useRef(false)
  const look = { columns, theme }

  const proposed = useMemo(() => shownRequest(request, look), [request, columns, theme])
  const rules = useMemo(() => shownRules(request, look), [request, columns, theme])
  const { edited, mode } = state
  const isScope = mode === "scope"
  const editing = editingOf(request)

  const head = headRows(props, "asks for your leave")
  const foot = footRows(state, { editing, offers: request.opened.offer !== undefined }, look)
  const screen = useShown(props, {
    subject: isScope ? rules : (edited ?? request.preview),
    shown: isScope ? rules : (edited?.shown ?? proposed),
    room: Math.max(1, rows - head.length - foot.length - 1),
  })

  const hint = (text: string) => setState(before => ({ ...before, hint: text }))
  const attempt = (work: Promise<void>) => {
    work.catch(error => hint(error instanceof Error ? error.message : String(error)))
  }

  async function answer(given: GateAnswer): Promise<void> {
    if (isAnswered.current) return
    isAnswered.current = true
    screen.keep()
    isAnswered.current = await onAnswer(given)
    if (!isAnswered.current) hint("it was not taken: the reason stands above")
  }

  async function change(text: string): Promise<void> {
    if (editing === null || request.proposal === null) return
    const { input: before } = request.proposal
    const outcome = inputWith(before, editing, text)
    const { key } = editing
    const facts = request.preview.command
    const shownChange = (after: JsonObject) => shownEdit({ before, after, key, facts }, look)
    if (outcome.status === "invalid") return hint(`${outcome.reason}; e to go on with it`)
    const changed =
      outcome.status === "same"
        ? null
        : { text, input: outcome.input, shown: await shownChange(outcome.input) }
    setState(before => ({
      ...before,
      edited: changed,
      top: 0,
      countsFromMs: now() + settleMs,
      hint: changed === null ? "it is as it was proposed" : "",
    }))
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
    const facts: Facts = {
      atMs: now(),
      columns,
      offers: request.opened.offer !== undefined,
      editing,
      pages: screen.pages,
      wasShown: screen.wasShown(),
    }
    const pressed = press(state, input, key, facts)
    setState(pressed.state)
    follow(pressed.wish)
  })
  usePaste(text => {
    if (mode === "word" || mode === "command") {
      setState({ ...state, line: pasted(state.line, text, columns) })
    }
  })

  const { room } = screen.pages
  const place = screen.fits || theme.screenReader ? [] : positionIn(state.top, screen.pages)
  const above = screen.fits ? [] : wrappedWords([...place, "all of it stands above"], columns)
  const window = theme.screenReader ? [] : screen.rows.slice(state.top, state.top + room)
  return h(Rows, { rows: [...head, ...window, ...above.map(theme.muted), ...foot] })
}

/** By which a pager or an editor knows the language. */
const fileNames = {
  diff: "preview.diff",
  command: "preview.sh",
  source: "preview.txt",
  text: "preview.txt",
}

/** What the keys do now. */
function footRows(
  { mode, line, edited, hint }: Deciding,
  { editing, offers }: { editing: Editing | null; offers: boolean },
  look: Look,
): Styled[] {
  const { theme, columns } = look
  const words = (...each: string[]) => wrappedWords(each, columns).map(theme.strong)
  const said = hint === "" ? [] : wrappedWords([exactly(hint)], columns).map(theme.warning)
  switch (mode) {
    case "word":
      return [
        ...said,
        ...words("Deny it, with a word to the model or none", "Enter denies", "Esc goes back"),
        ...lineRows(line, look, lineRowsMost),
      ]
    case "command":
      return [
        ...said,
        ...words("Change the command", "Enter shows it", "Ctrl-G editor", "Esc goes back"),
        ...lineRows(line, look, lineRowsMost),
      ]
    case "scope":
      return [
        ...said,
        ...words(
          "Save and approve?",
          "c for this conversation",
          "p for this project",
          "Esc goes back",
        ),
      ]
    case "decide":
      return [
        ...said,
        ...words(
          edited === null ? "Let it?  a approve" : "Let it, as you changed it?  a approve",
          "d deny",
          ...(offers && edited === null ? ["A allow this kind"] : []),
          ...(editing === null ? [] : ["e edit"]),
          "v view",
        ),
      ]
  }
}

/** A line that is typed takes so many rows at most. */
const lineRowsMost = 3
