import type { DurableEvent, JsonObject, ProcessReceipt, UserMessage } from "@harness/protocol"
import { receiptOf } from "../../audit/expected.ts"

/** What the log knows and a summary must not get wrong. */
export type Facts = {
  /** Everything that the user said, oldest first, with what came with it. */
  said: readonly UserMessage[]
  /** Something was compacted before, so that the messages begin with a record. */
  hasRecord: boolean
  /** Processes that run on, the newest last. */
  running: readonly NamedOutput[]
  /** Outputs that are kept, the newest last. */
  outputs: readonly NamedOutput[]
  /** The names of the outputs that a call left. */
  outputsOfCall: ReadonlyMap<string, readonly string[]>
  /** Actions that may have had their effect, and nobody saw their end. */
  unseen: readonly string[]
  verification: { command: string; outcome: string } | null
}

/** `output:<id>`, and where it comes from. */
export type NamedOutput = { name: string; what: string; bytes: number; outcome: string }

/** Works out from a conversation's events what its record must hold. */
export function factsOf(events: readonly DurableEvent[]): Facts {
  const said: UserMessage[] = []
  const proposals = new Map<string, { title: string; callId: string | null }>()
  const outputs = new Map<string, NamedOutput>()
  const running = new Map<string, NamedOutput>()
  const outputsOfCall = new Map<string, string[]>()
  const callOfProgram = new Map<number, string>()
  const open = new Set<string>()
  let hasRecord = false
  let verification: Facts["verification"] = null

  function keep(output: NamedOutput, callId: string | null): void {
    outputs.delete(output.name)
    outputs.set(output.name, output)
    if (callId === null) return
    const others = outputsOfCall.get(callId) ?? []
    if (!others.includes(output.name)) outputsOfCall.set(callId, [...others, output.name])
  }

  function takeProcess(receipt: ProcessReceipt, actionId: string): void {
    const proposal = proposals.get(actionId)
    const output = outputFrom(receipt, proposal?.title ?? "a process")
    if (receipt.status === "running") running.set(receipt.id, output)
    else running.delete(receipt.id)
    if (receipt.output_bytes > 0) keep(output, proposal?.callId ?? null)
  }

  for (const event of events) {
    const receipt = receiptOf(event)
    if (receipt !== undefined && "action_id" in event) takeProcess(receipt, event.action_id)

    switch (event.type) {
      case "user_message":
        said.push(event.message)
        break
      case "compaction_ended":
        hasRecord ||= event.status === "compacted"
        break
      case "action_proposed":
        proposals.set(event.action_id, {
          title: titleOf(event.action, event.input),
          callId: "call_id" in event.origin ? event.origin.call_id : null,
        })
        break
      case "action_started":
        open.add(event.action_id)
        break
      case "action_ended":
        if (event.receipt.status !== "unknown") open.delete(event.action_id)
        break
      case "program_started":
        callOfProgram.set(event.program, event.call_id)
        break
      case "program_ended":
        if (event.output_bytes > 0 && event.output_kept !== false) {
          const { program, output_bytes: bytes, status } = event
          const name = `output:program-${program}`
          const output = { name, what: `program ${program}`, bytes, outcome: status }
          keep(output, callOfProgram.get(program) ?? null)
        }
        break
      case "results":
        for (const { evidence, tool, status, call_id } of event.message.content) {
          if (evidence === undefined) continue
          const { sha256, bytes } = evidence
          keep({ name: `output:${sha256}`, what: tool, bytes, outcome: status }, call_id)
        }
        break
      case "verification_ended":
        verification = { command: event.command, outcome: event.verification }
        break
      case "conversation_closed":
      case "conversation_resumed":
        running.clear()
        break
      case "artifacts_collected":
        outputs.clear()
        outputsOfCall.clear()
        break
    }
  }

  const unseen = [...open].map(id => proposals.get(id)?.title ?? id)
  return {
    said,
    hasRecord,
    running: [...running.values()],
    outputs: [...outputs.values()],
    outputsOfCall,
    unseen,
    verification,
  }
}

function outputFrom(receipt: ProcessReceipt, what: string): NamedOutput {
  const { output_id: name, output_bytes: bytes, status, exit_code } = receipt
  const outcome = status === "exited" ? `exit ${exit_code ?? "by a signal"}` : status
  return { name, what, bytes, outcome }
}

const shownCharacters = 120

/** The action and what it was about, in one line. */
function titleOf(action: string, input: JsonObject): string {
  const subject = input.command ?? input.path ?? input.pattern ?? ""
  const text = typeof subject === "string" ? subject : JSON.stringify(subject)
  const line = `${action} ${text}`.replace(/\s+/g, " ").trim()
  return line.length > shownCharacters ? `${line.slice(0, shownCharacters)}…` : line
}
