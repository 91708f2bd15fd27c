import { measuresOf, subjectOf, wordsOf } from "../../printers/action-line.ts"
import { visible } from "../../text/visible.ts"
import { oneLine } from "../../text/width.ts"
import { endedCall, titleOf } from "./call-line.ts"
import { noticed } from "./conversation.ts"
import type { LiveCall, Of, Passing, RunningService, View } from "./view.ts"

/** Of what a command prints only the end is shown while it runs. */
const keptOutput = 4_000

/** Calls that a person can still open. */
const keptCalls = 100

export function proposed(view: View, event: Of<"action_proposed">, atMs: number): View {
  const call: LiveCall = {
    id: event.action_id,
    title: titleOf(event, callOf(view, event)),
    state: "proposed",
    sinceMs: atMs,
    tail: "",
    characters: 0,
  }
  const proposals = { ...view.known.proposals, [event.action_id]: event }
  return {
    ...view,
    live: { ...view.live, calls: [...view.live.calls, call] },
    known: { ...view.known, proposals },
  }
}

export function started(view: View, { action_id: id }: Of<"action_started">, atMs: number): View {
  return withCall(view, id, call => ({ ...call, state: "running", sinceMs: atMs }))
}

export function printed(view: View, { action_id: id, text }: Passing<"action_output">): View {
  return withCall(view, id, call => ({ ...call, tail: (call.tail + text).slice(-keptOutput) }))
}

/** Its line is printed. A process that it left running is a service until it ends. */
export function ended(view: View, event: Of<"action_ended">, atMs: number): View {
  const { action_id: id, receipt } = event
  const proposal = view.known.proposals[id]
  const call = endedCall(event, proposal, proposal && callOf(view, proposal))
  const service = proposal && serviceOf(proposal, receipt.process, atMs)
  const { [id]: _ended, ...proposals } = view.known.proposals
  return {
    ...view,
    fresh: [...view.fresh, { type: "call", call }],
    ended: [...view.ended, call].slice(-keptCalls),
    live: { ...view.live, calls: view.live.calls.filter(each => each.id !== id) },
    known: service ? view.known : { ...view.known, proposals },
    status: service
      ? { ...view.status, services: [...view.status.services, service] }
      : view.status,
  }
}

export function left(view: View, { action_id, process }: Of<"process_ended">): View {
  const { [action_id]: proposal, ...proposals } = view.known.proposals
  const services = view.status.services.filter(({ id }) => id !== process.id)
  const call = view.ended.find(each => each.actionId === action_id)
  const title = call?.title ?? (proposal && titleOf(proposal, undefined)) ?? process.id
  const end = [wordsOf(process.status), ...measuresOf(process)].join(" · ")
  const next = {
    ...view,
    known: { ...view.known, proposals },
    status: { ...view.status, services },
  }
  return noticed(next, { level: "muted", text: `${title} · ${end}` })
}

function withCall(view: View, id: string, change: (call: LiveCall) => LiveCall): View {
  const calls = view.live.calls.map(call => (call.id === id ? change(call) : call))
  return { ...view, live: { ...view.live, calls } }
}

function callOf({ known }: View, { origin }: Of<"action_proposed">) {
  return origin.type === "call" ? known.calls[origin.call_id] : undefined
}

function serviceOf(
  { action_id, effect, input }: Of<"action_proposed">,
  process: Of<"action_ended">["receipt"]["process"],
  atMs: number,
): RunningService | undefined {
  if (effect !== "execute" || process?.status !== "running") return undefined
  const command = oneLine(visible(subjectOf(input)))
  return { id: process.id, actionId: action_id, command, sinceMs: atMs }
}
