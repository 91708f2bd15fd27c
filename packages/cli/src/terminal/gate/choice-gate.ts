import { useInput, usePaste } from "ink"
import { createElement as h, type ReactElement, useMemo, useRef } from "react"
import { oneLine } from "../../text/width.ts"
import type { GateAnswer, GateProps, Styled } from "../contracts.ts"
import type { WaitingRequest } from "../view/view.ts"
import { beginChoosing, type Choices, choose } from "./choosing.ts"
import { exactly } from "./exact.ts"
import { choosingRows } from "./foot.ts"
import { headRows, Rows } from "./frame.ts"
import { pasted } from "./line.ts"
import { rowsOf } from "./rows.ts"
import { useCurrent } from "./use-current.ts"
import { type Matter, useShown } from "./use-shown.ts"

/** A question of the model, or an environment that it needs: the person picks, writes, or refuses. */
export function ChoiceGate(props: GateProps): ReactElement {
  const { request, columns, theme, rows, now, onAnswer } = props
  const choices = useMemo(() => choicesOf(request), [request])
  const state = useCurrent(() => beginChoosing(choices, now()))
  const isAnswered = useRef(false)
  const look = { columns, theme }

  const question = useMemo(() => questionLines(request), [request])
  const options = useMemo(() => optionLines(choices), [choices])
  const matter: Matter = useMemo(
    () => ({ subject: request, shown: { lines: [...question, ...options], hunks: [] } }),
    [request, question, options],
  )
  const head = headRows(props, "")
  const foot = choosingRows(state.drawn, choices, look)
  const screen = useShown(props, {
    matter,
    room: Math.max(1, rows - head.length - foot.length - 1),
  })

  const hint = (text: string) => state.set({ ...state.get(), hint: text })

  async function answer(given: GateAnswer): Promise<void> {
    if (isAnswered.current) return
    isAnswered.current = true
    screen.keep(matter)
    isAnswered.current = await onAnswer(given)
    if (!isAnswered.current) hint("it was not taken: the reason stands above")
  }

  useInput((input, key) => {
    const chosen = choose(state.get(), input, key, { ...choices, columns, atMs: now() })
    state.set(chosen.state)
    if (chosen.answer && screen.wasShown())
      answer(chosen.answer).catch(error => hint(String(error)))
  })
  usePaste(text => {
    if (!choices.free) return
    const before = state.get()
    state.set({ ...before, mode: "text", line: pasted(before.line, text, columns) })
  })

  const picked = options.map((line, index) =>
    index === state.drawn.picked ? theme.accent(line.replace(/^ {2}/, "› ")) : line,
  )
  const seen = screen.fits
    ? [...question, ...picked].flatMap(line => rowsOf(line, columns))
    : around(picked, state.drawn.picked ?? 0, { columns, room: screen.pages.room })
  const above = screen.fits ? [] : [theme.muted("all of it stands above")]
  return h(Rows, { rows: [...head, ...seen, ...above, ...foot] })
}

function choicesOf({ opened: { subject } }: WaitingRequest): Choices {
  if (subject.type === "question") return { options: subject.options, free: true }
  return { options: subject.type === "environment" ? subject.kinds : [], free: false }
}

function questionLines({ opened, preview }: WaitingRequest): Styled[] {
  const { subject } = opened
  const text =
    subject.type === "question"
      ? subject.question
      : subject.type === "environment"
        ? `It asks for another environment: ${subject.reason}`
        : preview.text
  return exactly(text).replace(/\n+$/, "").split("\n")
}

function optionLines({ options, free }: Choices): Styled[] {
  const own = free && options.length > 0 ? ["something else: type it"] : []
  const texts = [...options.map(option => oneLine(exactly(option))), ...own]
  return texts.map((text, index) => `  ${index + 1}. ${text}`)
}

/** The rows around the picked option, where not all have room. */
function around(
  lines: readonly Styled[],
  picked: number,
  { columns, room }: { columns: number; room: number },
): Styled[] {
  const rows = lines.map(line => rowsOf(line, columns))
  const end = rows.slice(0, picked + 1).flat().length
  const from = Math.max(0, end - room)
  return rows.flat().slice(from, from + room)
}
