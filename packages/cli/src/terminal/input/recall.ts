import { changed, type EditorState, lineOf, withText } from "./state.ts"

/**
 * An earlier message in the place of the line, or a later one. What was typed before comes back after
 * the newest one.
 */
export function recalledBy(
  state: EditorState,
  to: "up" | "down",
  history: readonly string[],
): EditorState {
  const { recalled } = state
  const back = (recalled?.back ?? 0) + (to === "up" ? 1 : -1)
  if (back < 0 || back > history.length) return state
  const draft = recalled?.draft ?? lineOf(state)
  if (back === 0) return { ...changed(state, draft), recalled: null }

  const next = withText(state, history.at(-back) ?? "")
  return { ...next, recalled: { back, draft } }
}
