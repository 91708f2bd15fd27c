import {
  failure,
  type ImageLimits,
  type Json,
  type ProcessReceipt,
  toFailure,
} from "@harness/protocol"
import type { AnyAction, KindDefinition } from "@harness/sdk"
import type { Ledger } from "../evidence/ledger.ts"
import type { ConversationImages } from "../images/images.ts"
import type { Overhead } from "../loop/overhead.ts"
import type { Recorder } from "../loop/recorder.ts"
import type { OwnActions } from "../own-actions/own-actions.ts"
import type { Decision } from "../policy/decision.ts"
import { type Guarded, permitsWanted } from "../policy/permits.ts"
import type { Policy } from "../policy/policy.ts"
import type { Requests } from "../policy/requests.ts"
import { endingOf, type Lost } from "./action-ending.ts"
import { type Approved, askPerson, unfitInput } from "./approval.ts"
import type { BackgroundProcesses } from "./background.ts"
import type { Performed, Proposal } from "./proposal.ts"
import type { WorkerCall, WorkerEnd, WorkerLink } from "./worker-link.ts"

export type PerformerParts = {
  kind: KindDefinition
  environment: string
  policy: Policy
  guarded: Guarded
  requests: Requests
  /** False: nobody answers requests, so what asks is denied. */
  approver: boolean
  recorder: Recorder
  ledger: Ledger
  /** Absent where no action shows any. */
  images?: Pick<ConversationImages, "limits" | "entered">
  /** Those that no environment carries out. */
  own?: OwnActions
  /** The environment's worker; a lost one is replaced. */
  worker: () => Promise<WorkerLink>
  background: BackgroundProcesses
  /** The receipt of a process whose worker is gone, by its id. */
  receiptOfLost: (id: string) => Promise<ProcessReceipt>
  /** The most that one action may leave behind. */
  grantBytes: number
  now: () => number
  overhead: Pick<Overhead, "without">
  /** Actions that the conversation has had before: ids go on counting. */
  actionsBefore: number
}

/** The one path for every effect: ARCHITECTURE.md lists its steps. */
export interface Performer {
  perform(proposal: Proposal): Promise<Performed>
}

export function createPerformer(parts: PerformerParts): Performer {
  const { recorder, ledger } = parts
  const actions = new Map(parts.kind.actions.map(action => [action.name, action]))
  let count = parts.actionsBefore

  /** call -> parse -> policy -> proposed -> person -> reservation -> started -> worker -> ended */
  async function perform(proposal: Proposal): Promise<Performed> {
    const action = actions.get(proposal.action)
    if (action === undefined) return { status: "invalid", message: unknown(proposal.action) }
    const parsed = action.input.safeParse(proposal.input)
    if (!parsed.success)
      return { status: "invalid", message: unfitInput(action, parsed.error.issues) }

    const actionId = `a${++count}`
    const startedAt = parts.now()
    const endAs = (approved: Pick<Approved, "input" | "ran">) =>
      endingOf({ action, actionId, startedAt, ...approved }, parts)
    let end = endAs({ input: proposal.input, ran: null })
    const { decision, subject, proposed } = await propose(action, actionId, proposal)
    // What is allowed begins at once: then both records are one write.
    const unwritten = decision.verdict === "allow" ? [proposed] : []
    if (decision.verdict !== "allow") recorder.record(proposed)
    if (decision.verdict === "deny") return end.denied(decision.rule, decision.reason)

    let approved: Approved = { ...subject, ran: null, basis: null }
    if (decision.verdict === "ask") {
      if (!parts.approver) return end.denied("no_approver", "nobody is there to approve it")
      const proposed = { action, actionId, subject, decision }
      const approval = await askPerson(proposed, proposal, parts)
      if (approval.status === "denied") return end.denied(approval.by, approval.note)
      if (approval.status === "not_shown") return end.with("error", approval.result)
      approved = approval
      end = endAs(approved)
    }
    if (proposal.signal.aborted) {
      recorder.recordAll(unwritten, { sync: false })
      return end.with("cancelled", { status: "cancelled", error: "interrupted" })
    }

    const { signal, clock } = proposal
    const own = parts.own?.carryOut(action.name, approved.input, { actionId, signal, clock })
    if (own != null) {
      // Nothing is begun before the person has answered: a crash meanwhile leaves nothing unknown.
      recorder.recordAll(unwritten, { sync: false })
      const { status, result } = await own
      if (status === "ok") recorder.record({ type: "action_started", action_id: actionId })
      return end.with(status, result)
    }

    const leaves = action.effect !== "read" && action.effect !== "observe"
    const images = action.shows && parts.images?.limits(proposal.imagesLeft)
    const reserved = ledger.reserve(leaves ? grantBytesFor(action) : bytesFor(images))
    if (reserved.status === "exhausted") {
      recorder.recordAll(unwritten, { sync: false })
      return end.exhausted(reserved)
    }
    // What runs was allowed by rules or approved by a person, and with it all that it asked for.
    const granted = approved.permits.map(({ permit }) => permit)
    const permitted = granted.length > 0 && { permits: granted }
    const started = { type: "action_started" as const, action_id: actionId, ...permitted }
    recorder.recordAll([...unwritten, started], { sync: leaves })
    const { input, basis } = approved
    const call = { actionId, action: action.name, input, permits: granted, basis }
    const bounds = { grantBytes: reserved.bytes, ...(images && { images }) }
    const ran = await run({ ...call, ...bounds }, proposal.signal)
    const performed = end.ran(ran.status === "lost" ? await findLost(ran.processes) : ran)
    const { process, evidence_bytes: usedBytes } = performed.receipt
    if (process?.status === "running") {
      const { result } = performed
      parts.background.began({ process, actionId, input, result, grant: reserved, usedBytes })
    } else {
      ledger.settle(reserved, usedBytes)
    }
    parts.images?.entered(performed.images)
    return performed
  }

  /** What outlives its action keeps its grant: with a part of what is free others can go on. */
  function grantBytesFor({ outlives }: AnyAction): number {
    return outlives
      ? Math.min(parts.grantBytes, Math.ceil(ledger.freeBytes() / 4))
      : parts.grantBytes
  }

  /** An action that only reads leaves nothing but the images that it shows. */
  function bytesFor(images: ImageLimits | undefined): number {
    return images === undefined ? 0 : Math.min(parts.grantBytes, images.limit_bytes * images.most)
  }

  async function findLost(processes: readonly string[]): Promise<Lost> {
    const receipts = await Promise.all(processes.map(parts.receiptOfLost))
    return { status: "lost", receipts }
  }

  async function propose(action: AnyAction, actionId: string, proposal: Proposal) {
    const named = {
      environment: parts.environment,
      action: action.name,
      effect: action.effect,
      input: proposal.input,
      origin: proposal.origin,
    }
    const wanted = permitsWanted(action, proposal.input, parts.guarded)
    const permits = wanted.status === "known" ? wanted.permits : []
    const subject = { ...named, permits }
    const decision: Decision =
      wanted.status === "known"
        ? await parts.policy.decide(subject, proposal)
        : { verdict: "deny", rule: "permit:unknown", reason: wanted.reason }
    const proposed = {
      type: "action_proposed" as const,
      turn: proposal.turn,
      step: proposal.step,
      action_id: actionId,
      ...named,
      ...(permits.length > 0 && { permits }),
      verdict: decision.verdict,
      rule: decision.rule,
    }
    return { decision, subject, proposed }
  }

  async function run(
    call: WorkerCall & { basis: Json; grantBytes: number; images?: ImageLimits },
    signal: AbortSignal,
  ): Promise<WorkerEnd> {
    const onOutput = (text: string) =>
      recorder.pass({ type: "action_output", action_id: call.actionId, text })
    try {
      const worker = await parts.worker()
      return await parts.overhead.without(() => worker.run(call, { signal, onOutput }))
    } catch (error) {
      return { status: "refused", failure: toFailure(error) }
    }
  }

  function unknown(action: string): string {
    const known = [...actions.keys()].join(", ")
    return failure("action_unknown", { kind: parts.kind.name, action, known }).message
  }

  return { perform }
}
