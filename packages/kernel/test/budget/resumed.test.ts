import type { DurableEvent, EventBody, Message } from "@harness/protocol"
import { Limits } from "@harness/protocol"
import { expect, test } from "vitest"
import { createBudget } from "../../src/budget/budget.ts"
import { createTurnClock } from "../../src/budget/turn-clock.ts"

const model = { id: "replay/test", price: { input: 2, output: 10 }, fixedBytes: 1_000 }
const usage = {
  input_tokens: 400,
  cached_input_tokens: 100,
  output_tokens: 50,
  reasoning_tokens: null,
}
const task: Message = { role: "user", content: [{ type: "text", text: "Go." }] }
const reply: Message & { role: "assistant" } = { role: "assistant", content: [] }
const step = { turn: 1, step: 1 }
const reserved = { cost: 0.3, tokens: 30_000 }
const { signal } = new AbortController()

type Body = Exclude<EventBody, { type: "turn_ended" }>

const started: Body = { type: "step_started", ...step, model: model.id, reserved }
const ended: Body = {
  type: "step_ended",
  ...step,
  model: model.id,
  message: reply,
  finish: "stop",
  usage,
  cost: 0.2,
  duration_ms: 1,
  first_token_ms: null,
}
const failed: Body = {
  type: "step_failed",
  ...step,
  failure: { code: "provider_failed", message: "No.", next: "", exit: 1, details: {} },
}

function resumed(bodies: readonly Body[], messages: readonly Message[] = [task, reply]) {
  const at = "2026-01-02T03:04:05.000Z"
  const events = bodies.map((body, index): DurableEvent => ({ seq: index + 1, at, ...body }))
  return createBudget({
    conversation: "c0ffee",
    limits: Limits.parse({ max_cost: 1 }),
    model,
    clock: createTurnClock(() => 0),
    events,
    messages,
  })
}

/** How much output fits: 1 USD less what is taken and what the input can come to, at 10 USD a million. */
async function leftUsd(budget: ReturnType<typeof resumed>): Promise<number> {
  const answer = await budget.reserve({ messages: [], maxOutputTokens: 1e9, signal })
  if (answer.status === "limit") throw new Error(answer.message)
  return Math.round(answer.amount.cost * 1e4) / 1e4
}

test("a conversation that goes on has spent what its log says", async () => {
  const budget = resumed([started, ended])
  expect(budget.spent()).toEqual({
    steps: 1,
    input_tokens: 400,
    cached_input_tokens: 100,
    output_tokens: 50,
    cost: 0.2,
  })
  expect(await leftUsd(budget)).toBe(0.8)
})

test("a request without an ending counts as it was reserved: it may have been billed", async () => {
  const budget = resumed([started])
  expect(budget.spent()).toMatchObject({ steps: 1, cost: 0 })
  expect(await leftUsd(budget)).toBe(0.7)
})

test("a request that failed counts only for its tries that may have been billed", async () => {
  expect(await leftUsd(resumed([started, failed]))).toBe(1)
  expect(await leftUsd(resumed([started, { ...failed, unanswered: 2 }]))).toBe(0.4)
  expect(await leftUsd(resumed([started, { ...ended, unanswered: 1 }]))).toBe(0.5)
})

test("an answer whose cost nobody told counts as reserved", async () => {
  expect(await leftUsd(resumed([started, { ...ended, cost: null }]))).toBe(0.7)
})

test("what a compaction came to counts too, and one that came to nothing does not", async () => {
  const begun: Body = {
    ...step,
    type: "compaction_started",
    model: model.id,
    attempt: 1,
    reserved,
  }
  const compacted: Body = {
    ...step,
    type: "compaction_ended",
    model: model.id,
    attempt: 1,
    status: "compacted",
    messages: [],
    kept: 0,
    replaced: 0,
    tokens: { before: 0, after: 0 },
    evidence: [],
    usage,
    cost: 0.1,
    duration_ms: 1,
  }
  const nothing = { ...usage, input_tokens: 0, output_tokens: 0 }
  const unknown = { ...usage, input_tokens: null, output_tokens: null }
  const refused: Body = { ...compacted, status: "failed", usage: unknown, cost: null }
  expect(await leftUsd(resumed([begun, compacted]))).toBe(0.9)
  expect(await leftUsd(resumed([begun, refused]))).toBe(1)
  expect(resumed([begun, refused]).spent()).toMatchObject({ steps: 1, cost: 0 })

  const { reserved: _reserved, ...nobodyAsked } = begun
  const futile: EventBody = { ...compacted, status: "failed", usage: nothing, cost: 0 }
  expect(resumed([nobodyAsked, futile]).spent()).toMatchObject({ steps: 0, cost: 0 })
})

test("the first request counts from what the provider last reported, while that still counts", async () => {
  const messages = [task, reply, { ...task }]
  const inputOf = async (budget: ReturnType<typeof resumed>) => {
    const answer = await budget.reserve({ messages, signal })
    return answer.status === "limit" ? Number.NaN : answer.inputTokens
  }
  const bytes = (some: readonly Message[]) =>
    some.reduce((sum, message) => sum + JSON.stringify(message).length, 0)
  const whole = 1_000 + bytes(messages)

  expect(await inputOf(resumed([started, ended], messages))).toBe(400 + bytes(messages.slice(1)))
  const changed: Body = {
    type: "definitions_changed",
    instructions: "New.",
    tools: [],
    announced: "They are new.",
  }
  expect(await inputOf(resumed([started, ended, changed], messages))).toBe(whole)
  const other: Body = { ...ended, model: "replay/other" }
  expect(await inputOf(resumed([started, other], messages))).toBe(whole)
})
