import {
  type EvidenceLink,
  isFailure,
  type JsonObject,
  type ProcessReceipt,
  type RunningProcess,
} from "@harness/protocol"
import type { Grant, Ledger } from "../evidence/ledger.ts"
import type { Recorder } from "../loop/recorder.ts"
import type { ProcessListener } from "./worker-link.ts"

/** The processes of a conversation that outlive their actions: each ends on record. */
export interface BackgroundProcesses extends ProcessListener {
  /** An action has ended and left a process running: its grant is kept until the process ends. */
  began(process: LeftRunning): void
  /** Those that run, the oldest first. */
  running(): RunningProcess[]
  /** Resolves when the ends that a lost worker left open are on record. */
  settled(): Promise<void>
}

export type LeftRunning = {
  process: ProcessReceipt
  actionId: string
  /** What the action was called with, and what it answered: how people know the process. */
  input: JsonObject
  result: JsonObject
  grant: Grant
  /** What the action itself has used of the grant. */
  usedBytes: number
}

export function backgroundProcesses({
  recorder,
  ledger,
  receiptOfLost,
  clock,
}: {
  recorder: Recorder
  ledger: Ledger
  /** The receipt of a process whose worker is gone, by its id. */
  receiptOfLost: (id: string) => Promise<ProcessReceipt>
  /** Milliseconds since the epoch. */
  clock: () => number
}): BackgroundProcesses {
  const open = new Map<string, LeftRunning & { startedAtMs: number }>()
  let settling: Promise<unknown> = Promise.resolve()

  function end(receipt: ProcessReceipt, evidence: EvidenceLink[], evidenceBytes: number): void {
    const left = open.get(receipt.id)
    if (left === undefined) return
    open.delete(receipt.id)
    ledger.settle(left.grant, left.usedBytes + evidenceBytes)
    record({
      type: "process_ended",
      action_id: left.actionId,
      evidence_bytes: evidenceBytes,
      evidence,
      process: receipt,
    })
  }

  /** A log that cannot be written ends the turn at its own next record; here is nobody to be told. */
  function record(body: Parameters<Recorder["record"]>[0]): void {
    try {
      recorder.record(body)
    } catch (error) {
      if (!isFailure(error, "log_unwritable")) throw error
    }
  }

  async function endLost(id: string): Promise<void> {
    const receipt = await receiptOfLost(id)
    end(receipt, [], receipt.output_bytes)
  }

  return {
    began(left) {
      const startedAtMs = clock() - left.process.elapsed_seconds * 1_000
      open.set(left.process.id, { ...left, startedAtMs })
    },
    running: () =>
      [...open.values()].map(({ process, input, result, startedAtMs }) => ({
        id: process.id,
        command: commandIn(input),
        started_at: new Date(startedAtMs).toISOString(),
        ready: result.ready === true ? readyIn(input) : null,
      })),
    ended: told => end(told.receipt, told.evidence, told.evidence_bytes),
    lost() {
      settling = Promise.all([settling, ...[...open.keys()].map(endLost)])
    },
    async settled() {
      await settling
    },
  }
}

/** A command line, or the words of one. */
function commandIn({ command }: JsonObject): string {
  const words = Array.isArray(command) ? command : [command ?? ""]
  return words.map(word => (typeof word === "string" ? word : JSON.stringify(word))).join(" ")
}

/** The port that it listens on, or the line that it was waited for. */
function readyIn({ ready }: JsonObject): string {
  if (typeof ready === "number") return `port ${ready}`
  return typeof ready === "string" ? ready : "ready"
}
