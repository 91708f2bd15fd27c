import { Text, useInput, usePaste } from "ink"
import { createElement, type ReactElement, useEffect, useState } from "react"
import { visible } from "../../text/visible.ts"
import type { EditorProps } from "../contracts.ts"

/** The line at the bottom. */
export function Editor(props: EditorProps): ReactElement {
  const { active, placeholder, theme, given } = props
  const [text, setText] = useState("")
  useEffect(() => {
    if (given) setText(given.text)
  }, [given])

  usePaste(pasted => setText(before => before + pasted), { isActive: active })
  useInput(
    (input, key) => {
      if (key.return && text.trim() !== "") {
        setText("")
        submit(text.trim(), props)
      } else if (key.escape) props.onEscape()
      else if (key.ctrl && input === "c") {
        if (text === "") props.onCancel()
        else setText("")
      } else if (key.backspace || key.delete) setText(before => [...before].slice(0, -1).join(""))
      else if (!key.ctrl && !key.meta && input !== "") setText(before => before + input)
    },
    { isActive: active },
  )

  const shown = text === "" ? theme.muted(placeholder) : visible(text).replaceAll("\n", "⏎")
  const cursor = active ? theme.inverse(" ") : ""
  return createElement(Text, { wrap: "truncate-start" }, `${theme.accent("›")} ${shown}${cursor}`)
}

function submit(text: string, { onCommand, onShell, onSubmit }: EditorProps): void {
  const [, name, rest = ""] = /^\/(\w+)\s*(.*)$/s.exec(text) ?? []
  if (name !== undefined) onCommand(name, rest)
  else if (text.startsWith("!")) onShell(text.slice(1))
  else onSubmit(text, [])
}
