import type { DurableEvent, JsonObject } from "@harness/protocol"

/**
 * The records for who asks what ran: where a person put an input of their own in the place of the one
 * that was proposed, the proposal has theirs.
 */
export function asRan(events: readonly DurableEvent[]): readonly DurableEvent[] {
  const actions = new Map<string, string>()
  const inputs = new Map<string, JsonObject>()
  for (const event of events) {
    if (event.type === "request_opened" && event.subject.type === "action") {
      actions.set(event.request, event.subject.action_id)
    } else if (event.type === "request_answered" && event.input !== undefined) {
      const action = actions.get(event.request)
      if (action !== undefined) inputs.set(action, event.input)
    }
  }
  if (inputs.size === 0) return events
  return events.map(event => {
    const input = event.type === "action_proposed" ? inputs.get(event.action_id) : undefined
    return event.type === "action_proposed" && input !== undefined ? { ...event, input } : event
  })
}
