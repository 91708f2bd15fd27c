import {
  type ActionOutcome,
  type ActionReceipt,
  type ActionStatus,
  failure,
  type Json,
  type JsonObject,
  type Origin,
  toFailure,
} from "@harness/protocol"
import type { AnyAction, EvidenceStore, KindDefinition, PersonClock } from "@harness/sdk"
import type { Ledger } from "../evidence/ledger.ts"
import { shortenResult } from "../evidence/shorten.ts"
import type { Recorder } from "../loop/recorder.ts"
import type { Policy } from "../policy/policy.ts"
import type { Requests } from "../policy/requests.ts"
import type { WorkerEnd, WorkerLink } from "./worker-link.ts"

/** An action that something proposes: a tool call, a line of a program, `--verify`. */
export type Proposal = {
  origin: Origin
  turn: number
  step: number
  action: string
  input: JsonObject
  programApproved: boolean
  signal: AbortSignal
  /** Stopped while a person is waited for. */
  clock?: PersonClock
}

/** How a proposal ended. `invalid`: its arguments do not fit, and nothing was proposed. */
export type Performed =
  | { status: "invalid"; message: string }
  | {
      status: ActionStatus
      actionId: string
      result: JsonObject
      outcome: ActionOutcome
      /** Evidence had no room: the turn has reached its limit. */
      exhausted: boolean
      receipt: ActionReceipt
      action: AnyAction
      input: JsonObject
    }

export type PerformerParts = {
  kind: KindDefinition
  environment: string
  policy: Policy
  requests: Requests
  /** False: nobody answers requests, so what asks is denied. */
  approver: boolean
  recorder: Recorder
  evidence: EvidenceStore
  ledger: Ledger
  /** The environment's worker; a lost one is replaced. */
  worker: () => Promise<WorkerLink>
  /** The most that one action may leave behind. */
  grantBytes: number
  now: () => number
  /** Actions that the conversation has had before: ids go on counting. */
  actionsBefore: number
}

/** The one path for every effect (DESIGN 4). */
export interface Performer {
  perform(proposal: Proposal): Promise<Performed>
}

export function createPerformer(parts: PerformerParts): Performer {
  const { recorder, requests } = parts
  const actions = new Map(parts.kind.actions.map(action => [action.name, action]))
  let count = parts.actionsBefore

  async function perform(proposal: Proposal): Promise<Performed> {
    const action = actions.get(proposal.action)
    if (action === undefined) return { status: "invalid", message: unknownAction(proposal.action) }
    const parsed = action.input.safeParse(proposal.input)
    if (!parsed.success) {
      return { status: "invalid", message: invalidArguments(action, parsed.error.issues) }
    }

    const input = proposal.input
    const actionId = `a${++count}`
    const startedAt = parts.now()
    const subject = {
      environment: parts.environment,
      action: action.name,
      effect: action.effect,
      input,
      origin: proposal.origin,
    }
    const decision = await parts.policy.decide(subject, proposal)
    recorder.record({
      type: "action_proposed",
      turn: proposal.turn,
      step: proposal.step,
      action_id: actionId,
      ...subject,
      verdict: decision.verdict,
      rule: decision.rule,
    })

    const end = (
      status: ActionStatus,
      result: JsonObject,
      rest: Partial<ActionReceipt> = {},
      exhausted = false,
    ): Performed => {
      const receipt: ActionReceipt = {
        status,
        elapsed_ms: round(parts.now() - startedAt),
        evidence_bytes: 0,
        evidence: [],
        ...rest,
      }
      recorder.record({
        type: "action_ended",
        action_id: actionId,
        action: action.name,
        result: shortenResult(result),
        receipt,
      })
      return {
        status,
        actionId,
        result,
        outcome: outcomeOf(action.name, status, result, receipt),
        exhausted,
        receipt,
        action,
        input,
      }
    }
    const deny = (by: string, note: string | null) =>
      end("denied", { status: "denied", by, ...(note !== null && { reason: note }) })

    if (decision.verdict === "deny") return deny(decision.rule, decision.reason)
    let basis: Json = null
    if (decision.verdict === "ask") {
      if (!parts.approver) return deny("no_approver", "nobody is there to approve it")
      const asked = await ask(action, actionId, proposal)
      if (asked.status === "shown" && asked.answer.decision === "deny") {
        return deny(asked.answer.by, asked.answer.note ?? null)
      }
      if (asked.status === "not_shown") return end("error", asked.result)
      basis = asked.basis
    }
    if (proposal.signal.aborted)
      return end("cancelled", { status: "cancelled", error: "interrupted" })

    const leaves = action.effect !== "read" && action.effect !== "observe"
    const reserved = leaves ? parts.ledger.reserve(parts.grantBytes) : parts.ledger.reserve(0)
    if (reserved.status === "exhausted") {
      const exhausted = failure("evidence_exhausted", {
        limit_bytes: reserved.limitBytes,
        used_bytes: reserved.usedBytes,
        asked_bytes: parts.grantBytes,
      })
      return end("error", { error: "evidence_exhausted", message: exhausted.message }, {}, true)
    }

    recorder.record({ type: "action_started", action_id: actionId }, { sync: leaves })
    const ran = await run(action, actionId, proposal, basis, reserved.bytes)
    parts.ledger.settle(reserved, ran.status === "ended" ? ran.evidenceBytes : 0)
    if (ran.status === "lost") {
      return end("unknown", {
        error: "worker_lost",
        status: "unknown",
        message: "The worker ended before the action did: nobody saw whether it took effect.",
      })
    }
    if (ran.status === "refused") {
      return end("error", { error: ran.failure.code, message: ran.failure.message })
    }
    for (const link of ran.evidence) parts.evidence.relate({ ...link, action_id: actionId })
    const status = ran.cancelled ? "cancelled" : "error" in ran.result ? "error" : "ok"
    return end(
      status,
      ran.result,
      {
        evidence_bytes: ran.evidenceBytes,
        evidence: ran.evidence,
        ...(ran.process && { process: ran.process }),
      },
      ran.result["error"] === "evidence_exhausted",
    )
  }

  async function ask(action: AnyAction, actionId: string, proposal: Proposal) {
    proposal.clock?.pause()
    try {
      const shown = await previewOf(action, actionId, proposal.input)
      if (shown.status !== "previewed") {
        const message = shown.status === "lost" ? "the worker was lost" : shown.failure.message
        return { status: "not_shown" as const, result: { error: "preview_failed", message } }
      }
      const question = {
        subject: { type: "action" as const, action_id: actionId },
        title: action.name,
        preview: shown.preview,
      }
      const answer = await requests.open(question, proposal.signal)
      return { status: "shown" as const, answer, basis: shown.basis }
    } finally {
      proposal.clock?.resume()
    }
  }

  async function previewOf(action: AnyAction, actionId: string, input: JsonObject) {
    if (action.preview === undefined) {
      const text = JSON.stringify(input, null, 2)
      return {
        status: "previewed" as const,
        preview: { format: "text" as const, text },
        basis: null,
      }
    }
    const worker = await parts.worker()
    return worker.preview({ actionId, action: action.name, input })
  }

  async function run(
    action: AnyAction,
    actionId: string,
    proposal: Proposal,
    basis: Json,
    grantBytes: number,
  ): Promise<WorkerEnd> {
    const onOutput = (text: string) =>
      recorder.pass({ type: "action_output", action_id: actionId, text })
    try {
      const worker = await parts.worker()
      return await worker.run(
        { actionId, action: action.name, input: proposal.input, basis, grantBytes },
        { signal: proposal.signal, onOutput },
      )
    } catch (error) {
      return { status: "refused", failure: toFailure(error) }
    }
  }

  function unknownAction(name: string): string {
    return failure("action_unknown", {
      kind: parts.kind.name,
      action: name,
      known: [...actions.keys()].join(", "),
    }).message
  }

  return { perform }
}

function invalidArguments(
  action: AnyAction,
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
): string {
  const said = issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join(".")}: ${message}`,
  )
  return `${action.name}: ${said.join("; ")}`
}

function outcomeOf(
  action: string,
  status: ActionStatus,
  result: JsonObject,
  { process }: ActionReceipt,
): ActionOutcome {
  if (process !== undefined) {
    const said = process.status === "exited" && status !== "cancelled" ? status : process.status
    return { action, status: said, exit_code: process.exit_code }
  }
  const error = result["error"]
  return { action, status: status === "error" && typeof error === "string" ? error : status }
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10
}
