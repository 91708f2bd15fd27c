import { type ConversationEvent, type StepRow, stepRows } from "@harness/protocol"
import { emptyView } from "../view/empty.ts"
import { reduce } from "../view/reduce.ts"
import type { FaceEvent, View } from "../view/view.ts"

/** Events in, a view out: reduced when somebody looks, so that a flood costs no more than its frames. */
export interface Store {
  tell(event: ConversationEvent | FaceEvent): void
  /** With all that was told until now. */
  view(): View
  /** The same, for whoever prints what is fresh in it: it is fresh no more. */
  take(): View
  steps(): readonly StepRow[]
}

type Told = { event: ConversationEvent | FaceEvent; atMs: number }

/** @param changed called when something was told */
export function createStore(options: {
  conversation: string
  now: () => number
  changed: () => void
}): Store {
  const rows = stepRows()
  let view = emptyView(options.conversation)
  let told: Told[] = []

  function reduced(): View {
    const news = told
    told = []
    view = news.reduce((before, { event, atMs }) => reduce(before, event, atMs), view)
    return view
  }

  return {
    tell(event) {
      if ("seq" in event) rows.event(event)
      const last = told.at(-1)
      const joined = last && joinedWith(last.event, event)
      if (last && joined) told[told.length - 1] = { ...last, event: joined }
      else told.push({ event, atMs: options.now() })
      options.changed()
    },

    view: reduced,

    take() {
      const taken = reduced()
      view = reduce(taken, { type: "printed", count: taken.fresh.length }, options.now())
      return taken
    },

    steps: () => rows.rows(),
  }
}

/** Pieces of one text as one piece; null for all else. */
function joinedWith(before: Told["event"], event: Told["event"]): Told["event"] | null {
  if (before.type === "text_delta" && event.type === "text_delta") {
    return { ...event, text: before.text + event.text }
  }
  if (before.type === "action_output" && event.type === "action_output") {
    if (before.action_id !== event.action_id) return null
    return { ...event, text: before.text + event.text }
  }
  return null
}
