import { type Ending, type EventBody, type Message, toFailure, type Usage } from "@harness/protocol"
import type { Reserved } from "../../budget/budget.ts"
import { interrupted } from "../ending.ts"
import { paidRequest, type Requested } from "../paid-request.ts"
import type { CompactionParts, Place } from "./compaction.ts"
import { factsOf } from "./facts.ts"
import { overflowOf } from "./overflow.ts"
import { type Plan, planOf } from "./plan.ts"
import { recordOf } from "./record.ts"
import { type SummaryAsked, summaryAsked } from "./summary.ts"
import { tokensOfAll } from "./tokens.ts"
import type { ContextWindow, WindowSize } from "./window.ts"

/** How a try ended. An ending ends the turn: it was interrupted, or the budget is used up. */
export type Tried =
  | { status: "compacted" }
  /** `isFutile`: nobody was asked, since nothing can be left out that would be enough. */
  | { status: "failed"; reason: string; isFutile: boolean }
  | { status: "ended"; ending: Ending }

type Try = Place & {
  attempt: number
  window: ContextWindow
  size: WindowSize
  /** The user asks for it: that there is nothing to be done is no failure to be recorded. */
  onDemand?: boolean
}

/** What a try leaves: it becomes `compaction_ended`. */
type Outcome =
  | { status: "failed"; reason: string; evidence?: Ended["evidence"] }
  | Pick<Ended & { status: "compacted" }, "status" | "messages" | "kept" | "evidence">

type Ended = Extract<EventBody, { type: "compaction_ended" }>

/**
 * One try: the model is asked for a summary, and a record takes the place of the older messages, in
 * `parts.messages` as in the log. What fails changes nothing but what was spent.
 */
export async function tryOnce(
  parts: CompactionParts,
  tried: Try,
  signal: AbortSignal,
): Promise<Tried> {
  const { budget, recorder, model, messages } = parts
  const { window } = tried
  const before = window.estimate(messages)
  const facts = factsOf(await parts.events())
  const plan = planOf(messages, { ...tried, facts, known: parts.known.all() })
  const begun = { ...placeOf(tried), model: model.id, attempt: tried.attempt }

  if (plan.status === "irreducible") {
    if (tried.onDemand) return { status: "failed", reason: plan.reason, isFutile: true }
    recorder.record({ type: "compaction_started", ...begun })
    const nobody = { usage: nothingUsed, cost: 0, duration_ms: 0 }
    end({ status: "failed", reason: plan.reason }, nobody)
    return { status: "failed", reason: plan.reason, isFutile: true }
  }

  const asked = summaryAsked(messages, { plan, facts, ...tried, style: parts.style })
  const maxOutputTokens = window.outputCap(asked.inputTokens)
  const { messages: askedMessages, apart } = asked
  const request = { messages: askedMessages, maxOutputTokens, apart, signal }
  const reserved = await budget.reserve(request)
  if (reserved.status === "limit") {
    const { limit, message } = reserved
    return { status: "ended", ending: { status: "limit_reached", limit, message } }
  }
  recorder.record({ type: "compaction_started", ...begun, reserved: amountOf(reserved, parts) })

  const startedAt = parts.now()
  const requested = await summarise(parts, reserved, asked, signal)
  const outcome = await outcomeOf(requested, { parts, plan, asked, window, signal })
  const spent = { ...spentOf(requested), duration_ms: Math.round(parts.now() - startedAt) }
  const ended = end(outcome, spent)

  if (signal.aborted) return { status: "ended", ending: interrupted(signal) }
  if (requested.status !== "limit") return ended
  const { limit, message } = requested.reached
  return { status: "ended", ending: { status: "limit_reached", limit, message } }

  /** Records it, and puts the record into the place of what it stands for. */
  function end(
    outcome: Outcome,
    spent: Pick<Ended, "usage" | "cost" | "unanswered" | "duration_ms">,
  ): Tried {
    const isCompacted = outcome.status === "compacted"
    const kept = isCompacted ? outcome.kept : messages.length
    const made: readonly Message[] = isCompacted ? outcome.messages : []
    const replaced = messages.length - kept
    const next = [...made, ...messages.slice(replaced)]
    recorder.record({
      type: "compaction_ended",
      ...begun,
      status: outcome.status,
      ...(!isCompacted && { reason: outcome.reason }),
      messages: [...made],
      kept: isCompacted ? kept : 0,
      replaced,
      tokens: { before, after: isCompacted ? window.estimate(next) : before },
      evidence: outcome.evidence ?? [],
      ...spent,
    })
    if (!isCompacted) return { status: "failed", reason: outcome.reason, isFutile: false }
    messages.splice(0, replaced, ...made)
    return { status: "compacted" }
  }
}

/** What the model writes is no answer: faces are told only that it waits. */
function summarise(
  parts: CompactionParts,
  reserved: Reserved,
  { instructions, tools, messages }: SummaryAsked,
  signal: AbortSignal,
): Promise<Requested> {
  const recorder: CompactionParts["recorder"] = {
    ...parts.recorder,
    pass(body) {
      if (body.type === "model_waiting") parts.recorder.pass(body)
    },
  }
  const { conversation, image } = parts
  return parts.overhead.without(() =>
    paidRequest({ ...parts, recorder }, reserved, {
      instructions,
      tools,
      messages,
      conversation,
      ...(image && { image }),
      signal,
    }),
  )
}

async function outcomeOf(
  requested: Requested,
  context: {
    parts: CompactionParts
    plan: Plan
    asked: SummaryAsked
    window: ContextWindow
    signal: AbortSignal
  },
): Promise<Outcome> {
  const { parts, plan, asked, window, signal } = context
  if (requested.status !== "answered") {
    const overflow = overflowOf(requested.error)
    if (overflow !== null) window.refused(asked.inputTokens, overflow.contextTokens)
    const { message } = toFailure(requested.error)
    return { status: "failed", reason: signal.aborted ? "it was interrupted" : message }
  }

  const { message: reply, finish } = requested.reply
  const summary = reply.content.flatMap(part => (part.type === "text" ? [part.text] : [])).join("")
  if (finish === "length") return { status: "failed", reason: "the summary was cut off" }
  if (reply.content.some(({ type }) => type === "call")) {
    return { status: "failed", reason: "the model called a tool in the place of a summary" }
  }
  if (finish !== "stop") {
    return { status: "failed", reason: "the model stopped for a reason of its own" }
  }
  if (summary.trim() === "") return { status: "failed", reason: "the model wrote no summary" }

  const record = await recordOf({ ...plan, summary }, parts.keepText)
  const made = [record.message, ...plan.kept]
  const tokens = window.fixedTokens() + Math.ceil(tokensOfAll(made) * window.scale())
  const { evidence } = record
  if (tokens > plan.targetTokens) {
    const reason = `the record is too long: about ${tokens} tokens, and there is room for ${plan.targetTokens}`
    return { status: "failed", reason, evidence }
  }
  return { status: "compacted", messages: [record.message], kept: plan.kept.length, evidence }
}

function placeOf({ turn, step }: Try): Place {
  return { turn, step }
}

function amountOf({ amount }: Reserved, { model }: CompactionParts) {
  return { cost: model.price === undefined ? null : amount.cost, tokens: amount.tokens }
}

function spentOf(requested: Requested): Pick<Ended, "usage" | "cost" | "unanswered"> {
  const { unanswered } = requested
  const lost = unanswered > 0 ? { unanswered } : {}
  if (requested.status !== "answered") return { usage: nothingTold, cost: null, ...lost }
  return { usage: requested.reply.usage, cost: requested.cost, ...lost }
}

const nothingUsed: Usage = {
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
}

const nothingTold: Usage = {
  input_tokens: null,
  cached_input_tokens: null,
  output_tokens: null,
  reasoning_tokens: null,
}
