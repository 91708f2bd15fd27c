import type { CallPart, EventBody, ResultPart } from "@harness/protocol"

/** The `error` of an action that harness itself did not see the end of. */
export const harnessEnded = "harness_ended"

/**
 * The result of a call whose own one was never written: harness ended between the two. It tells the
 * model what the log knows, so that it looks before it repeats anything.
 */
export function resultOfLostCall(call: CallPart, since: readonly EventBody[]): ResultPart {
  return {
    type: "result",
    call_id: call.id,
    tool: call.tool,
    status: "unknown",
    text: textOf(call, since),
  }
}

function textOf(call: CallPart, since: readonly EventBody[]): string {
  const actions = actionsOf(call, since)
  const program = since.find(event => event.type === "program_started" && event.call_id === call.id)
  if (program === undefined && actions.length === 0) {
    return "harness ended before this call was begun: it did not run."
  }

  const began = program
    ? "harness ended while this program was running, or before its output was handed on; what it printed is lost."
    : "harness ended before the result of this call was handed on."
  const last = actions.slice(-shownActions)
  const left = actions.length - last.length
  const before = left > 0 ? [`Before the ${last.length} actions below, ${left} more ended.`] : []
  return [began, ...before, ...last.map(sentenceOf)].join("\n")
}

/** A program may have had thousands of them. */
const shownActions = 32

/** Of the JSON of one action's result. */
const shownCharacters = 1_000

type ActionTrace = {
  name: string
  started: boolean
  ended: Extract<EventBody, { type: "action_ended" }> | null
}

function actionsOf(call: CallPart, since: readonly EventBody[]): ActionTrace[] {
  const traces = new Map<string, ActionTrace>()
  for (const event of since) {
    if (event.type === "action_proposed") {
      if (!("call_id" in event.origin) || event.origin.call_id !== call.id) continue
      traces.set(event.action_id, { name: event.action, started: false, ended: null })
    } else if (event.type === "action_started") {
      const trace = traces.get(event.action_id)
      if (trace) trace.started = true
    } else if (event.type === "action_ended") {
      const trace = traces.get(event.action_id)
      if (trace) trace.ended = event
    }
  }
  return [...traces.values()]
}

function sentenceOf({ name, started, ended }: ActionTrace): string {
  if (ended !== null && ended.result.error !== harnessEnded) {
    const result = JSON.stringify(ended.result)
    const shown = result.slice(0, shownCharacters)
    const left = result.length - shown.length
    const rest =
      left > 0 ? `… [${left} more characters are left out: look again if you need them]` : ""
    return `${name} ended (${ended.receipt.status}): ${shown}${rest}`
  }
  if (started) {
    const begun = `${name} was begun and nobody saw its end: it may have had its effect. Look before you repeat it.`
    const process = ended?.receipt.process
    return process === undefined
      ? begun
      : `${begun} Its process came to ${process.status}; what it printed is ${process.output_id}.`
  }
  return `${name} was proposed and did not run.`
}
