import type { Of, Passing, View, WaitingRequest } from "./view.ts"

export function asked(view: View, event: Of<"request_opened">): View {
  const { proposals, program } = view.known
  const { subject } = event
  const proposal = "action_id" in subject ? (proposals[subject.action_id] ?? null) : null
  const isProgram = subject.type === "program" || proposal?.origin.type === "program"
  const request: WaitingRequest = {
    request: event.request,
    opened: event,
    preview: event.preview,
    proposal,
    program: isProgram ? program : null,
  }
  return { ...view, requests: [...view.requests, request] }
}

/** What its record may not keep, and the person is to see. */
export function previewed(view: View, { request, preview }: Passing<"request_preview">): View {
  const requests = view.requests.map(each =>
    each.request === request ? { ...each, preview } : each,
  )
  return { ...view, requests }
}

/** The call's line says whether it was let; what else the person said stands for itself. */
export function answered(view: View, event: Of<"request_answered">): View {
  const request = view.requests.find(each => each.request === event.request)
  const requests = view.requests.filter(each => each !== request)
  const { note, input, saved, answer } = event
  if (request === undefined || !(note ?? input ?? saved ?? answer)) return { ...view, requests }

  const { title } = request.opened
  return { ...view, requests, fresh: [...view.fresh, { type: "decision", event, title }] }
}
