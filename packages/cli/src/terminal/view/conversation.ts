import { idleStep } from "./empty.ts"
import type { HistoryItem, Of, View } from "./view.ts"

/** It began, or goes on: nothing of before runs any more. */
export function opened(
  view: View,
  event: Of<"conversation_started"> | Of<"conversation_resumed">,
): View {
  const { conversation, model, style, approve, sandbox, network, folder } = event
  const settings = { conversation, model, style, approve, sandbox, network, folder }
  return {
    ...view,
    fresh: [...view.fresh, { type: "opened", event }],
    live: idleStep,
    requests: [],
    known: { proposals: {}, calls: {}, program: null },
    status: { ...view.status, ...settings, services: [] },
  }
}

export function settingsChanged(view: View, event: Of<"settings_changed">): View {
  const { model = view.status.model, style = view.status.style } = event
  const { approve = view.status.approve } = event
  const { context_tokens: tokens = null } = event
  const window = event.model === undefined ? view.status.context.window : tokens
  const context = { ...view.status.context, window }
  const changed = [
    ...(event.model === undefined ? [] : [`model ${event.model}`]),
    ...(event.style === undefined ? [] : [`style ${event.style}`]),
    ...(event.approve === undefined ? [] : [`approve ${event.approve}`]),
  ]
  const text = `from the next step on: ${changed.join(", ")}`
  const next = { ...view, status: { ...view.status, model, style, approve, context } }
  return noticed(next, { level: "muted", text })
}

export function noticed(
  view: View,
  notice: Omit<Extract<HistoryItem, { type: "notice" }>, "type">,
): View {
  return { ...view, fresh: [...view.fresh, { type: "notice", ...notice }] }
}
