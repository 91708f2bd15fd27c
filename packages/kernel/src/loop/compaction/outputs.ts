import type { DurableEvent, ProcessReceipt } from "@harness/protocol"
import { receiptOf } from "../../audit/expected.ts"
import type { Proposals } from "./proposals.ts"

/** `output:<id>`, and where it comes from. */
export type NamedOutput = { name: string; what: string; bytes: number; outcome: string }

export type Outputs = {
  /** Processes that run on, the newest last. */
  running: readonly NamedOutput[]
  /** Outputs that are kept, the newest last. */
  outputs: readonly NamedOutput[]
  /** The names of the outputs that a call left. */
  outputsOfCall: ReadonlyMap<string, readonly string[]>
}

/** The outputs that can be read by name, and those that still grow. */
export function outputsIn(events: readonly DurableEvent[], proposals: Proposals): Outputs {
  const callOfProgram = programsIn(events)
  const running = new Map<string, NamedOutput>()
  const outputs = new Map<string, NamedOutput>()
  const calls = new Map<string, string>()

  const keep = (output: NamedOutput, callId: string | null | undefined) => {
    outputs.delete(output.name)
    outputs.set(output.name, output)
    if (callId) calls.set(output.name, callId)
  }

  for (const event of events) {
    const receipt = receiptOf(event)
    if (receipt !== undefined && "action_id" in event) {
      const proposal = proposals.get(event.action_id)
      const output = outputOf(receipt, proposal?.title ?? "a process")
      if (receipt.status === "running") running.set(receipt.id, output)
      else running.delete(receipt.id)
      if (receipt.output_bytes > 0) keep(output, proposal?.callId)
    }

    if (event.type === "program_ended" && event.output_bytes > 0 && event.output_kept !== false) {
      const name = `output:program-${event.program}`
      const what = `program ${event.program}`
      keep(
        { name, what, bytes: event.output_bytes, outcome: event.status },
        callOfProgram.get(event.program),
      )
    } else if (event.type === "results") {
      for (const { evidence, tool, status, call_id } of event.message.content) {
        if (evidence === undefined) continue
        const { sha256, bytes } = evidence
        keep({ name: `output:${sha256}`, what: tool, bytes, outcome: status }, call_id)
      }
    } else if (event.type === "conversation_closed" || event.type === "conversation_resumed") {
      running.clear()
    } else if (event.type === "artifacts_collected") {
      outputs.clear()
    }
  }

  return {
    running: [...running.values()],
    outputs: [...outputs.values()],
    outputsOfCall: byCall([...outputs.keys()], calls),
  }
}

function outputOf(receipt: ProcessReceipt, what: string): NamedOutput {
  const { output_id: name, output_bytes: bytes, status, exit_code } = receipt
  const outcome = status === "exited" ? `exit ${exit_code ?? "by a signal"}` : status
  return { name, what, bytes, outcome }
}

function programsIn(events: readonly DurableEvent[]): ReadonlyMap<number, string> {
  const programs = events.flatMap(event =>
    event.type === "program_started" ? [[event.program, event.call_id] as const] : [],
  )
  return new Map(programs)
}

function byCall(names: readonly string[], calls: ReadonlyMap<string, string>) {
  const outputsOfCall = new Map<string, string[]>()
  for (const name of names) {
    const call = calls.get(name)
    if (call !== undefined) outputsOfCall.set(call, [...(outputsOfCall.get(call) ?? []), name])
  }
  return outputsOfCall
}
