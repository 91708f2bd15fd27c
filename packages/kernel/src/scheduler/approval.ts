import { isDeepStrictEqual } from "node:util"
import type { Json, JsonObject, PermitWanted } from "@harness/protocol"
import type { AnyAction, ProposedAction } from "@harness/sdk"
import type { Overhead } from "../loop/overhead.ts"
import type { Decision } from "../policy/decision.ts"
import { type Guarded, permitsWanted } from "../policy/permits.ts"
import type { Policy } from "../policy/policy.ts"
import type { Answer, Requests } from "../policy/requests.ts"
import type { Proposal } from "./proposal.ts"
import type { WorkerCall, WorkerLink, WorkerPreview } from "./worker-link.ts"

/** What runs then. `basis` is what the preview stood on: `run` must still find it. */
export type Approved = {
  input: JsonObject
  permits: readonly PermitWanted[]
  /** The keys of the input that a person wrote, null when it runs as it was proposed. */
  ran: JsonObject | null
  basis: Json
}

/** What became of asking a person. */
export type Approval =
  | ({ status: "approved" } & Approved)
  | { status: "denied"; by: Answer["by"]; note: string | null }
  /** Nothing could be shown, so nobody was asked. */
  | { status: "not_shown"; result: JsonObject }

export type Proposed = {
  action: AnyAction
  actionId: string
  subject: ProposedAction
  decision: Decision
}

type ApprovalParts = {
  requests: Requests
  policy: Pick<Policy, "offer" | "refusal">
  guarded: Guarded
  worker: () => Promise<WorkerLink>
  overhead: Pick<Overhead, "without">
}

/**
 * Shows a person what the action would do and waits for the answer; the program that proposes it
 * stands still meanwhile. Nothing runs that was not shown, or that the person wrote themselves; an
 * approval grants the permits too.
 */
export async function askPerson(
  { action, actionId, subject, decision }: Proposed,
  proposal: Proposal,
  parts: ApprovalParts,
): Promise<Approval> {
  const { input, permits } = subject
  proposal.clock?.pause()
  try {
    // The person may see what they are asked about: a file, say, that the model may not.
    const asked = permits.map(({ permit }) => permit)
    const call = { actionId, action: action.name, input, permits: asked }
    const shown = await previewOf(action, call, parts)
    if (shown.status !== "previewed") {
      const message = shown.status === "lost" ? "the worker was lost" : shown.failure.message
      return { status: "not_shown", result: { error: "preview_failed", message } }
    }
    const question = {
      subject: { type: "action" as const, action_id: actionId },
      title: action.name,
      ...(permits.length > 0 && { permits: [...permits] }),
      preview: shown.preview,
      ...(await parts.policy.offer(subject, decision)),
    }
    const judge = async (written: JsonObject) => {
      const edited = editedBy(written, action, parts.guarded)
      if (typeof edited === "string") return edited
      return parts.policy.refusal({ ...subject, ...edited }, asked)
    }
    const answer = await parts.requests.open(question, proposal.signal, judge)
    if (answer.decision === "deny") {
      return { status: "denied", by: answer.by, note: answer.note ?? null }
    }
    const { basis } = shown
    if (answer.input === undefined) return { status: "approved", input, permits, ran: null, basis }
    const edited = editedBy(answer.input, action, parts.guarded)
    // It was judged before the answer was taken, and has not changed since.
    if (typeof edited === "string") throw new Error(edited)
    return { status: "approved", ...edited, ran: differing(action, edited.input, input), basis }
  } finally {
    proposal.clock?.resume()
  }
}

/** What a person wrote, and what it needs leave for; or why it cannot run. */
function editedBy(input: JsonObject, action: AnyAction, guarded: Guarded) {
  const parsed = action.input.safeParse(input)
  if (!parsed.success) return unfitInput(action, parsed.error.issues)
  const wanted = permitsWanted(action, input, guarded)
  return wanted.status === "known" ? { input, permits: wanted.permits } : wanted.reason
}

/** The keys in which it differs, with what is left out filled in; null where it names none. */
function differing(action: AnyAction, ran: JsonObject, proposed: JsonObject): JsonObject {
  const [now, before] = [action.input.parse(ran), action.input.parse(proposed)]
  const keys = new Set([...Object.keys(before), ...Object.keys(now)])
  const changed = [...keys].filter(key => !isDeepStrictEqual(now[key], before[key]))
  return Object.fromEntries(changed.map(key => [key, ran[key] ?? null]))
}

/** Why an input does not fit an action, in one line. */
export function unfitInput(
  action: AnyAction,
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
): string {
  const said = issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join(".")}: ${message}`,
  )
  return `${action.name}: ${said.join("; ")}`
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
