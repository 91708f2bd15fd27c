import type { Json, JsonObject, PermitWanted } from "@harness/protocol"
import type { AnyAction } from "@harness/sdk"
import type { Overhead } from "../loop/overhead.ts"
import type { Answer, Requests } from "../policy/requests.ts"
import type { Proposal } from "./proposal.ts"
import type { WorkerCall, WorkerLink, WorkerPreview } from "./worker-link.ts"

/** What became of asking a person. `basis` is what the preview stood on: `run` must still find it. */
export type Approval =
  | { status: "approved"; basis: Json }
  | { status: "denied"; by: Answer["by"]; note: string | null }
  /** Nothing could be shown, so nobody was asked. */
  | { status: "not_shown"; result: JsonObject }

type ApprovalParts = {
  requests: Requests
  worker: () => Promise<WorkerLink>
  overhead: Pick<Overhead, "without">
}

/**
 * Shows a person what the action would do and waits for the answer; the program that proposes it
 * stands still meanwhile. Nothing runs that was not shown; an approval grants the permits too.
 */
export async function askPerson(
  action: AnyAction,
  actionId: string,
  proposal: Proposal,
  permits: readonly PermitWanted[],
  parts: ApprovalParts,
): Promise<Approval> {
  proposal.clock?.pause()
  try {
    // The person may see what they are asked about: a file, say, that the model may not.
    const call = { ...proposal, actionId, permits: permits.map(({ permit }) => permit) }
    const shown = await previewOf(action, call, parts)
    if (shown.status !== "previewed") {
      const message = shown.status === "lost" ? "the worker was lost" : shown.failure.message
      return { status: "not_shown", result: { error: "preview_failed", message } }
    }
    const subject = { type: "action" as const, action_id: actionId }
    const asked = permits.length > 0 && { permits: [...permits] }
    const question = { subject, title: action.name, ...asked, preview: shown.preview }
    const answer = await parts.requests.open(question, proposal.signal)
    if (answer.decision === "approve") return { status: "approved", basis: shown.basis }
    return { status: "denied", by: answer.by, note: answer.note ?? null }
  } finally {
    proposal.clock?.resume()
  }
}

async function previewOf(
  action: AnyAction,
  { actionId, input, permits }: WorkerCall,
  parts: ApprovalParts,
): Promise<WorkerPreview> {
  if (action.preview === undefined) {
    const text = JSON.stringify(input, null, 2)
    return { status: "previewed", preview: { format: "text", text }, basis: null }
  }
  const worker = await parts.worker()
  const call = { actionId, action: action.name, input, permits }
  return parts.overhead.without(() => worker.preview(call))
}
