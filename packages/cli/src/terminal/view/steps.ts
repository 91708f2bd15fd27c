import { counted, grouped } from "../../text/format.ts"
import { noticed } from "./conversation.ts"
import { idleStep } from "./empty.ts"
import { finishedParts, lastParts, type MarkdownPart } from "./markdown-parts.ts"
import type { HistoryItem, LiveCall, LiveStep, Of, Passing, View } from "./view.ts"

/** Of what the model thinks only the end is shown. */
const keptReasoning = 2_000

export function stepStarted(view: View, { step, model }: Of<"step_started">, atMs: number): View {
  return {
    ...view,
    live: { ...idleStep, phase: { type: "working", sinceMs: atMs } },
    status: { ...view.status, step, model },
    known: { ...view.known, calls: {} },
  }
}

/** What is whole is printed: the live part stays small however much is said. */
export function said(view: View, text: string, atMs: number): View {
  const { live } = view
  const { parts, rest, continues } = finishedParts(live.text + text, live.continues)
  return {
    ...view,
    fresh: [...view.fresh, ...parts.map(asItem)],
    live: {
      ...live,
      phase: workingSince(live, atMs),
      text: rest,
      continues,
      said: live.said || text !== "",
      reasoning: "",
    },
  }
}

export function thought(view: View, text: string, atMs: number): View {
  const reasoning = (view.live.reasoning + text).slice(-keptReasoning)
  return { ...view, live: { ...view.live, phase: workingSince(view.live, atMs), reasoning } }
}

/** A call that the model writes: how long it is by now. */
export function called(view: View, event: Passing<"call_delta">, atMs: number): View {
  const { calls } = view.live
  const known = calls.find(({ id }) => id === event.call_id)
  const characters = (known?.characters ?? 0) + event.text.length
  const call: LiveCall = {
    id: event.call_id,
    title: event.tool,
    state: "written",
    sinceMs: known?.sinceMs ?? atMs,
    tail: "",
    characters,
  }
  const others = calls.filter(each => each !== known)
  const live = { ...view.live, phase: workingSince(view.live, atMs), calls: [...others, call] }
  return { ...view, live }
}

export function waiting(view: View, { reason, ms }: Passing<"model_waiting">, atMs: number): View {
  const phase = { type: "model_waiting" as const, reason, untilMs: atMs + ms }
  return { ...view, live: { ...view.live, phase } }
}

export function stepEnded(view: View, event: Of<"step_ended">): View {
  const { content } = event.message
  const text = content.map(part => (part.type === "text" ? part.text : "")).join("")
  const calls = content.filter(part => part.type === "call")
  // Who came late, or reads what is kept, was not told as it was said.
  const whole = view.live.said ? view : { ...view, live: { ...view.live, text, said: text !== "" } }
  const next = flushed(whole)
  return {
    ...next,
    live: { ...next.live, reasoning: "", calls: [] },
    known: { ...view.known, calls: Object.fromEntries(calls.map(call => [call.id, call])) },
    status: spentBy(view.status, event),
  }
}

export function stepFailed(view: View, { step, failure }: Of<"step_failed">): View {
  const next = flushed(view)
  const live = { ...next.live, reasoning: "", calls: [] }
  const { code, message } = failure
  return code === "step_interrupted"
    ? noticed({ ...next, live }, { level: "warning", text: `step ${step} interrupted` })
    : noticed({ ...next, live }, { level: "bad", text: `step ${step} failed: ${message}` })
}

export function compacting(view: View, atMs: number): View {
  return { ...view, live: { ...view.live, phase: { type: "compacting", sinceMs: atMs } } }
}

export function compacted(view: View, event: Of<"compaction_ended">, atMs: number): View {
  const { status, reason = "nobody knows why", replaced, messages, tokens } = event
  const context = { ...view.status.context, tokens: tokens.after }
  const spent = spentBy(view.status, event)
  const next: View = {
    ...view,
    live: { ...view.live, phase: { type: "working", sinceMs: atMs } },
    status: status === "compacted" ? { ...spent, context } : spent,
  }
  if (status === "failed") {
    return noticed(next, { level: "warning", text: `compaction failed: ${reason}` })
  }
  const sizes = `${grouped(tokens.before)} → ${grouped(tokens.after)} tokens`
  const text = `compacted: ${counted(replaced, "message")} into ${messages.length}, ${sizes}`
  return noticed(next, { level: "muted", text })
}

/** All that was said so far is printed. */
export function flushed(view: View): View {
  const { text, continues } = view.live
  const items = lastParts(text, continues).map(asItem)
  return {
    ...view,
    fresh: [...view.fresh, ...items],
    live: { ...view.live, text: "", continues: false },
  }
}

function asItem({ markdown, begins }: MarkdownPart): HistoryItem {
  return { type: "text", markdown, begins }
}

/** Since the step began, or since the wait for the provider is over. */
function workingSince({ phase }: LiveStep, atMs: number): LiveStep["phase"] {
  return phase.type === "working" ? phase : { type: "working", sinceMs: atMs }
}

function spentBy(
  status: View["status"],
  { type, usage, cost }: Of<"step_ended"> | Of<"compaction_ended">,
): View["status"] {
  const input = usage.input_tokens
  const output = usage.output_tokens
  const known = type === "step_ended" && input !== null
  return {
    ...status,
    cost: {
      usd: status.cost.usd + (cost ?? 0),
      unknown: status.cost.unknown || cost === null,
    },
    inputTokens: status.inputTokens + (input ?? 0),
    outputTokens: status.outputTokens + (output ?? 0),
    context: known ? { ...status.context, tokens: input + (output ?? 0) } : status.context,
  }
}
