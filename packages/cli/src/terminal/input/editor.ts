import { Box, Text, useCursor, useInput, usePaste } from "ink"
import { createElement as h, type ReactElement, useEffect, useReducer, useRef } from "react"
import type { EditorProps } from "../contracts.ts"
import { createComposition } from "./composition.ts"
import { columnsIn, drawn } from "./draw.ts"
import { keysOf } from "./keys.ts"

/** The line at the bottom: of as many rows as it needs, with what it can be completed to. */
export function Editor(props: EditorProps): ReactElement {
  const { active, placeholder, theme, columns, rows, given, top } = props
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  // Keys that come at once are done before anything is drawn: what is typed is no state of React's.
  const composition = useRef<ReturnType<typeof createComposition>>(undefined)
  composition.current ??= createComposition(redraw)
  const line = composition.current
  line.use(props, columnsIn({ columns }))

  useEffect(() => {
    if (given) line.give(given.text)
  }, [given, line])
  usePaste(text => line.paste(text), { isActive: active })
  useInput(
    (input, key) => {
      for (const each of keysOf(input, key)) line.press(each)
    },
    { isActive: active },
  )

  // A screen reader has a cursor of its own.
  const isOwn = top !== undefined && !theme.screenReader
  const mark = active && !isOwn
  const { lines, cursor } = drawn({ ...line.shown(), placeholder }, { rows, columns, theme, mark })
  const { setCursorPosition } = useCursor()
  const at = { x: cursor.column, y: (top ?? 0) + cursor.row }
  setCursorPosition(active && isOwn ? at : undefined)

  return h(
    Box,
    { flexDirection: "column" },
    ...lines.map((text, index) => h(Text, { key: `row ${index}`, wrap: "truncate" }, text)),
  )
}
