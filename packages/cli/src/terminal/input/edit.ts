import { placeAt, positionOf, rowsOf } from "./layout.ts"
import { type Target, targetFrom } from "./moves.ts"
import { recalledBy } from "./recall.ts"
import { searched } from "./search.ts"
import { changed, type EditorState, inserted, lineOf, replaced } from "./state.ts"

/** What a person does to the line, whichever key it came by. */
export type Edit =
  | { type: "type"; text: string }
  | { type: "paste"; text: string }
  | { type: "newline" }
  | { type: "move"; to: Target | "up" | "down" }
  /** `keep`: it can be put back by `yank`. */
  | { type: "delete"; to: Target; keep: boolean }
  | { type: "yank" }
  | { type: "undo" }
  | { type: "search" }
  | { type: "enter" }
  | { type: "escape" }
  | { type: "cancel" }

/** What the line asks of those around it. */
export type Effect = "submit" | "escape" | "cancel"

export type Edited = { state: EditorState; effect?: Effect }

/** What an edit must know: how wide a row is, and the earlier messages, the newest last. */
export type EditContext = { columns: number; history: readonly string[] }

/**
 * The line after an edit. Pure. The cursor never stands within a character, and nothing is lost: what
 * is deleted comes back by `undo`, what an earlier message displaced by going down again.
 */
export function edit(state: EditorState, change: Edit, context: EditContext): Edited {
  if (state.search !== null || change.type === "search") {
    const found = searched(state, change, context.history)
    return found.goesOn ? edit(found.state, change, context) : { state: found.state }
  }
  switch (change.type) {
    case "type":
      return { state: typed(state, change.text) }
    case "paste":
      return { state: inserted(state, change.text) }
    case "newline":
      return { state: inserted(state, "\n") }
    case "move":
      return { state: moved(state, change.to, context) }
    case "delete":
      return { state: deleted(state, change) }
    case "yank":
      return { state: put(state, state.killed) }
    case "undo":
      return { state: undone(state) }
    case "enter":
      return entered(state)
    case "escape":
      return { state, effect: "escape" }
    case "cancel":
      if (state.text === "") return { state, effect: "cancel" }
      return { state: { ...changed(state, { text: "", cursor: 0 }), recalled: null } }
  }
}

/** Letters of one word are one change. */
function typed(state: EditorState, text: string): EditorState {
  const next = inserted(state, text)
  const isLetter = /^\S+$/.test(text)
  const past = state.typing && isLetter ? state.past : next.past
  return { ...next, past, typing: isLetter }
}

function moved(state: EditorState, to: Target | "up" | "down", context: EditContext): EditorState {
  if (to === "up" || to === "down") return movedOver(state, to, context)
  return { ...state, cursor: targetFrom(state, to), column: null, typing: false }
}

/** Over the rows as they are seen; beyond them earlier messages begin. */
function movedOver(
  state: EditorState,
  to: "up" | "down",
  { columns, history }: EditContext,
): EditorState {
  const rows = rowsOf(state.text, state.pieces, columns)
  const { row, column } = positionOf(rows, state.cursor)
  const aim = state.column ?? column
  const next = to === "up" ? row - 1 : row + 1
  if (next < 0 || next >= rows.length) return recalledBy(state, to, history)
  return { ...state, cursor: placeAt(rows, next, aim), column: aim, typing: false }
}

function deleted(state: EditorState, { to, keep }: Extract<Edit, { type: "delete" }>): EditorState {
  const { text, cursor } = state
  // At the end of a line what ends it is cut, too.
  const isAtEnd = to === "line_end" && text[cursor] === "\n"
  const place = isAtEnd ? cursor + 1 : targetFrom(state, to)
  if (place === cursor) return state
  const [from, end] = place < cursor ? [place, cursor] : [cursor, place]
  const next = replaced(state, { from, to: end, text: "" })
  return keep ? { ...next, killed: text.slice(from, end) } : next
}

/** As it is, with its pieces. */
function put(state: EditorState, text: string): EditorState {
  const { cursor } = state
  return text === "" ? state : replaced(state, { from: cursor, to: cursor, text })
}

function undone(state: EditorState): EditorState {
  const line = state.past.at(-1)
  if (line === undefined) return state
  return {
    ...state,
    ...lineOf(line),
    past: state.past.slice(0, -1),
    column: null,
    typing: false,
    recalled: null,
  }
}

/** A `\` at the end of a line goes on in the next one. */
function entered(state: EditorState): Edited {
  const { text, cursor } = state
  const isEnd = cursor === text.length || text[cursor] === "\n"
  if (isEnd && text[cursor - 1] === "\\") {
    return { state: replaced(state, { from: cursor - 1, to: cursor, text: "\n" }) }
  }
  return text.trim() === "" ? { state } : { state, effect: "submit" }
}
