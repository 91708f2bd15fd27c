import { boundaryFrom } from "./graphemes.ts"
import { isToBeFolded, markOf, type Piece } from "./pieces.ts"

/** What is typed, with a private character in the place of each piece, and where the cursor stands. */
export type Line = { text: string; cursor: number }

export type EditorState = Line & {
  /** Only ever added to: earlier lines speak of them, too. */
  pieces: readonly Piece[]
  /** The column that going up and down aims at. */
  column: number | null
  /** What was cut last. */
  killed: string
  /** The lines before each change, the newest last. */
  past: readonly Line[]
  /** True while what is typed belongs to one change. */
  typing: boolean
  /** An earlier message stands in the line; counted from the newest. */
  recalled: { back: number; draft: Line } | null
  /** Earlier messages are searched. */
  search: Search | null
}

export type Search = {
  letters: string
  /** The match, counted from the newest; null when there is none. */
  back: number | null
  draft: Line
}

export const emptyState: EditorState = {
  text: "",
  cursor: 0,
  pieces: [],
  column: null,
  killed: "",
  past: [],
  typing: false,
  recalled: null,
  search: null,
}

/** Changes that can be taken back. */
const keptChanges = 500

/** The line as it is after a change, which can be taken back by itself. */
export function changed(state: EditorState, { text, cursor }: Line): EditorState {
  const past = [...state.past, lineOf(state)].slice(-keptChanges)
  const at = boundaryFrom(text, cursor)
  return { ...state, text, cursor: at, past, column: null, typing: false }
}

/** With a text in the place of what stands between two places; the cursor is after it. */
export function replaced(
  state: EditorState,
  { from, to, text }: { from: number; to: number; text: string },
): EditorState {
  const before = state.text.slice(0, from) + text
  return changed(state, { text: before + state.text.slice(to), cursor: before.length })
}

/** Puts a text at the cursor: a long one as a piece. Line ends become `\n`, nothing else changes. */
export function inserted(state: EditorState, text: string): EditorState {
  const { cursor } = state
  const lines = text.replace(/\r\n?/g, "\n")
  if (!isToBeFolded(lines)) return replaced(state, { from: cursor, to: cursor, text: lines })
  return withPiece(state, { type: "pasted", text: lines })
}

export function withPiece(state: EditorState, piece: Piece): EditorState {
  const { cursor, pieces } = state
  const mark = markOf(pieces.length)
  const next = { ...state, pieces: [...pieces, piece] }
  return replaced(next, { from: cursor, to: cursor, text: mark })
}

/** A whole text as the line, the cursor at its end. */
export function withText(state: EditorState, text: string): EditorState {
  const { past } = changed(state, state)
  return { ...inserted({ ...state, text: "", cursor: 0 }, text), past }
}

export function lineOf({ text, cursor }: Line): Line {
  return { text, cursor }
}
