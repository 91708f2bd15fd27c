import type { Look, Styled } from "../contracts.ts"
import type { Choices, Choosing } from "./choosing.ts"
import type { Deciding } from "./deciding.ts"
import type { Editing } from "./edited.ts"
import { exactly } from "./exact.ts"
import { lineRows } from "./line.ts"
import { wrappedWords } from "./rows.ts"

/** What the keys do at a request for leave. */
export function decidingRows(
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

/** What the keys do at a question. */
export function choosingRows(
  { mode, line, hint }: Choosing,
  choices: Choices,
  look: Look,
): Styled[] {
  const { theme, columns } = look
  const { options, free } = choices
  const said = hint === "" ? [] : wrappedWords([hint], columns).map(theme.warning)
  if (mode === "text") {
    const back = options.length > 0 ? "Esc goes back" : "Esc refuses"
    const words = wrappedWords(["Your answer", "Enter sends", back], columns)
    return [...said, ...words.map(theme.strong), ...lineRows(line, look, lineRowsMost)]
  }
  const numbers = options.length === 0 ? [] : ["a number or ↑↓ and Enter"]
  const letters = free ? ["or type an answer"] : []
  const words = wrappedWords([...numbers, ...letters, "Esc refuses"], columns)
  return [...said, ...words.map(theme.strong)]
}

/** A line that is typed takes so many rows at most. */
const lineRowsMost = 3
