import {
  type ActionOutcome,
  type ActionReceipt,
  type ActionStatus,
  failure,
  type ImagePart,
  type JsonObject,
  type ProcessReceipt,
} from "@harness/protocol"
import type { AnyAction } from "@harness/sdk"
import { shortenResult } from "../evidence/shorten.ts"
import type { Recorder } from "../loop/recorder.ts"
import type { Performed } from "./proposal.ts"
import type { WorkerEnd } from "./worker-link.ts"

export type Settled = Exclude<Performed, { status: "invalid" }>

/** An action whose worker is gone, with the receipts of the processes that it had begun. */
export type Lost = { status: "lost"; receipts: readonly ProcessReceipt[] }

type Ending = Pick<Settled, "action" | "actionId" | "input" | "ran"> & { startedAt: number }

type EndingParts = { recorder: Pick<Recorder, "record">; grantBytes: number; now: () => number }

/** The ways to end an action: each records `action_ended`, with a receipt, exactly once. */
export function endingOf(ending: Ending, parts: EndingParts) {
  const { action, actionId, input, ran } = ending

  function withReceipt(
    status: ActionStatus,
    plain: JsonObject,
    settled: Pick<ActionReceipt, "evidence" | "evidence_bytes" | "process"> = nothingLeft,
    images: readonly ImagePart[] = [],
  ): Settled {
    const result = ran === null ? plain : { edited_by: "user", ran, ...plain }
    const elapsed_ms = Math.round((parts.now() - ending.startedAt) * 10) / 10
    const receipt: ActionReceipt = { status, elapsed_ms, ...settled }
    parts.recorder.record({
      type: "action_ended",
      action_id: actionId,
      action: action.name,
      ...summaryOf(action, input, result),
      result: shortenResult(result),
      receipt,
    })
    const outcome = outcomeOf(action.name, result, receipt)
    const exhausted = result.error === "evidence_exhausted"
    return { status, actionId, action, input, ran, result, outcome, exhausted, receipt, images }
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
