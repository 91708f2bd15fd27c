import type { Edit } from "./edit.ts"
import { graphemesOf } from "./graphemes.ts"
import { changed, type EditorState, lineOf, type Search, withText } from "./state.ts"

/**
 * The line while earlier messages are searched: letters narrow, the key again goes further back, Esc
 * gives back what was typed. `goesOn`: the match is taken, and the edit is still to be done to it.
 */
export function searched(
  state: EditorState,
  change: Edit,
  history: readonly string[],
): { state: EditorState; goesOn: boolean } {
  const search = state.search ?? { letters: "", back: null, draft: lineOf(state) }
  const ended = { ...state, search: null }
  switch (change.type) {
    case "search": {
      const further = { ...search, back: matchBefore(search, history) ?? search.back }
      return { state: withMatch(state, further, history), goesOn: false }
    }
    case "type":
    case "paste": {
      const letters = search.letters + change.text.replaceAll(/\s+/g, " ")
      return {
        state: withMatch(state, narrowed({ ...search, letters }, history), history),
        goesOn: false,
      }
    }
    case "delete": {
      if (change.to !== "left") return { state: ended, goesOn: true }
      const letters = graphemesOf(search.letters)
        .slice(0, -1)
        .map(({ text }) => text)
        .join("")
      const fresh = { ...search, letters, back: null }
      return { state: withMatch(state, narrowed(fresh, history), history), goesOn: false }
    }
    case "escape":
    case "cancel":
      return { state: changed(ended, search.draft), goesOn: false }
    case "enter":
      return { state: ended, goesOn: false }
    default:
      return { state: ended, goesOn: true }
  }
}

/** The match that it was, where it still is one. */
function narrowed(search: Search, history: readonly string[]): Search {
  const from = { ...search, back: search.back === null ? null : search.back - 1 }
  return { ...search, back: matchBefore(from, history) }
}

function matchBefore({ letters, back }: Search, history: readonly string[]): number | null {
  if (letters === "") return null
  for (let next = (back ?? 0) + 1; next <= history.length; next++) {
    if (history.at(-next)?.toLowerCase().includes(letters.toLowerCase())) return next
  }
  return null
}

/** Without a match the line stays as it was. */
function withMatch(state: EditorState, search: Search, history: readonly string[]): EditorState {
  const found = search.back === null ? undefined : history.at(-search.back)
  return found === undefined ? { ...state, search } : { ...withText(state, found), search }
}
