import {
  type ActionOutcome,
  type ActionReceipt,
  type ActionStatus,
  failure,
  type ImageLimits,
  type ImagePart,
  type Json,
  type JsonObject,
  type ProcessReceipt,
  toFailure,
} from "@harness/protocol"
import type { AnyAction, KindDefinition } from "@harness/sdk"
import type { Ledger } from "../evidence/ledger.ts"
import { shortenResult } from "../evidence/shorten.ts"
import type { ConversationImages } from "../images/images.ts"
import type { Overhead } from "../loop/overhead.ts"
import type { Recorder } from "../loop/recorder.ts"
import type { Decision } from "../policy/decision.ts"
import { type Guarded, permitsWanted } from "../policy/permits.ts"
import type { Policy } from "../policy/policy.ts"
import type { Requests } from "../policy/requests.ts"
import { askPerson } from "./approval.ts"
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
    if (!parsed.success) return { status: "invalid", message: unfit(action, parsed.error.issues) }

    const actionId = `a${++count}`
    const end = endingOf(action, actionId, proposal.input)
    const { decision, proposed, permits } = await propose(action, actionId, proposal)
    // What is allowed begins at once: then both records are one write.
    const unwritten = decision.verdict === "allow" ? [proposed] : []
    if (decision.verdict !== "allow") recorder.record(proposed)
    if (decision.verdict === "deny") return end.denied(decision.rule, decision.reason)

    let basis: Json = null
    if (decision.verdict === "ask") {
      if (!parts.approver) return end.denied("no_approver", "nobody is there to approve it")
      const approval = await askPerson(action, actionId, proposal, permits, parts)
      if (approval.status === "denied") return end.denied(approval.by, approval.note)
      if (approval.status === "not_shown") return end.with("error", approval.result)
      basis = approval.basis
    }
    if (proposal.signal.aborted) {
      recorder.recordAll(unwritten, { sync: false })
      return end.with("cancelled", { status: "cancelled", error: "interrupted" })
    }

    const leaves = action.effect !== "read" && action.effect !== "observe"
    const images = action.shows && parts.images?.limits(proposal.imagesLeft)
    const reserved = ledger.reserve(leaves ? grantBytesFor(action) : bytesFor(images))
    if (reserved.status === "exhausted") {
      recorder.recordAll(unwritten, { sync: false })
      return end.exhausted(reserved)
    }
    // What runs was allowed by rules or approved by a person, and with it all that it asked for.
    const granted = permits.map(({ permit }) => permit)
    const permitted = granted.length > 0 && { permits: granted }
    const started = { type: "action_started" as const, action_id: actionId, ...permitted }
    recorder.recordAll([...unwritten, started], { sync: leaves })
    const call = { actionId, action: action.name, input: proposal.input, permits: granted, basis }
    const bounds = { grantBytes: reserved.bytes, ...(images && { images }) }
    const ran = await run({ ...call, ...bounds }, proposal.signal)
    const performed = end.ran(ran.status === "lost" ? await findLost(ran.processes) : ran)
    const { process, evidence_bytes: usedBytes } = performed.receipt
    if (process?.status === "running") {
      parts.background.began({ process, actionId, grant: reserved, usedBytes })
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
    const subject = {
      environment: parts.environment,
      action: action.name,
      effect: action.effect,
      input: proposal.input,
      origin: proposal.origin,
    }
    const wanted = permitsWanted(action, proposal.input, parts.guarded)
    const permits = wanted.status === "known" ? wanted.permits : []
    const decision: Decision =
      wanted.status === "known"
        ? await parts.policy.decide({ ...subject, permits }, proposal)
        : { verdict: "deny", rule: "permit:unknown", reason: wanted.reason }
    const proposed = {
      type: "action_proposed" as const,
      turn: proposal.turn,
      step: proposal.step,
      action_id: actionId,
      ...subject,
      ...(permits.length > 0 && { permits }),
      verdict: decision.verdict,
      rule: decision.rule,
    }
    return { decision, proposed, permits }
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

  /** The ways to end an action: each records `action_ended`, with a receipt, exactly once. */
  function endingOf(action: AnyAction, actionId: string, input: JsonObject) {
    const startedAt = parts.now()

    function withReceipt(
      status: ActionStatus,
      result: JsonObject,
      settled: Pick<ActionReceipt, "evidence" | "evidence_bytes" | "process"> = nothingLeft,
      images: readonly ImagePart[] = [],
    ): Settled {
      const elapsed_ms = Math.round((parts.now() - startedAt) * 10) / 10
      const receipt: ActionReceipt = { status, elapsed_ms, ...settled }
      recorder.record({
        type: "action_ended",
        action_id: actionId,
        action: action.name,
        ...summaryOf(action, input, result),
        result: shortenResult(result),
        receipt,
      })
      const outcome = outcomeOf(action.name, result, receipt)
      const exhausted = result.error === "evidence_exhausted"
      return { status, actionId, action, input, result, outcome, exhausted, receipt, images }
    }

    /** Of a process at least its end is known, and what it printed. */
    function lost({ receipts }: Lost): Settled {
      const process = receipts.at(-1)
      if (process === undefined) return withReceipt("unknown", lostResult)
      const result = { ...lostResult, status: process.status, output_id: process.output_id }
      const bytes = receipts.reduce((sum, { output_bytes }) => sum + output_bytes, 0)
      const status = process.status === "unknown" ? "unknown" : "error"
      return withReceipt(status, result, { evidence: [], evidence_bytes: bytes, process })
    }

    return {
      with: withReceipt,
      denied: (by: string, note: string | null) =>
        withReceipt("denied", { status: "denied", by, ...(note !== null && { reason: note }) }),
      exhausted({ limitBytes, usedBytes }: { limitBytes: number; usedBytes: number }) {
        const { code, message } = failure("evidence_exhausted", {
          limit_bytes: limitBytes,
          used_bytes: usedBytes,
          asked_bytes: parts.grantBytes,
        })
        return withReceipt("error", { error: code, message })
      },
      ran(ran: Exclude<WorkerEnd, { status: "lost" }> | Lost): Settled {
        if (ran.status === "lost") return lost(ran)
        if (ran.status === "refused") {
          return withReceipt("error", { error: ran.failure.code, message: ran.failure.message })
        }
        const status = ran.cancelled ? "cancelled" : "error" in ran.result ? "error" : "ok"
        const { evidenceBytes: evidence_bytes, evidence, process, images } = ran
        const settled = { evidence_bytes, evidence, ...(process && { process }) }
        return withReceipt(status, ran.result, settled, images)
      },
    }
  }

  function unknown(action: string): string {
    const known = [...actions.keys()].join(", ")
    return failure("action_unknown", { kind: parts.kind.name, action, known }).message
  }

  return { perform }
}

type Settled = Exclude<Performed, { status: "invalid" }>

/** An action whose worker is gone, with the receipts of the processes that it had begun. */
type Lost = { status: "lost"; receipts: readonly ProcessReceipt[] }

/** A package's words for people. They decide nothing, so a throw of theirs is no failure. */
function summaryOf(action: AnyAction, input: JsonObject, result: JsonObject): { summary?: string } {
  if (action.summarise === undefined || result.status === "denied") return {}
  try {
    return { summary: action.summarise(input, result) }
  } catch {
    return {}
  }
}

const nothingLeft = { evidence: [], evidence_bytes: 0 }

const lostResult: JsonObject = {
  error: "worker_lost",
  status: "unknown",
  message: "The worker ended before the action did: nobody saw whether it took effect.",
}

function unfit(
  action: AnyAction,
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
): string {
  const said = issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join(".")}: ${message}`,
  )
  return `${action.name}: ${said.join("; ")}`
}

/** The word for people: how the process ended if that is not plain, else the result's own error. */
function outcomeOf(
  action: string,
  result: JsonObject,
  { status, process }: ActionReceipt,
): ActionOutcome {
  if (process !== undefined) {
    const plain = process.status === "exited"
    return { action, status: plain ? status : process.status, exit_code: process.exit_code }
  }
  const error = result.error
  return { action, status: status === "error" && typeof error === "string" ? error : status }
}
