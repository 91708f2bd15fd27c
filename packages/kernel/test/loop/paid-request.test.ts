import { failure, Limits } from "@harness/protocol"
import type { ModelEvent } from "@harness/sdk"
import { expect, test } from "vitest"
import { type Budget, createBudget } from "../../src/budget/budget.ts"
import { createTurnClock } from "../../src/budget/turn-clock.ts"
import { paidRequest } from "../../src/loop/paid-request.ts"
import { openProvider } from "../support/one-provider.ts"

const price = { input: 1, output: 10 }
const usage = {
  input_tokens: 100,
  cached_input_tokens: null,
  output_tokens: 10,
  reasoning_tokens: null,
}
const finish: ModelEvent = { type: "finish", reason: "stop", usage }
const lost: ModelEvent = { type: "waiting", reason: "the connection broke", ms: 1, lost: true }
const busy: ModelEvent = { type: "waiting", reason: "HTTP 429: Slow down", ms: 1 }

/** A request of 0.001 USD for input and 0.004 for output at most, of 0.02 in all. */
async function requested(events: readonly (ModelEvent | Error)[], stop?: AbortController) {
  const budget = createBudget({
    conversation: "c0ffee",
    limits: Limits.parse({ max_cost: 0.02 }),
    model: { id: "one/m", price, fixedBytes: 1_000 },
    clock: createTurnClock(() => 0),
    events: [],
    messages: [],
  })
  const signal = stop?.signal ?? new AbortController().signal
  const reserved = await budget.reserve({ messages: [], maxOutputTokens: 400, signal })
  if (reserved.status === "limit") throw new Error(reserved.message)

  const asked = { instructions: "", tools: [], messages: [], conversation: "c0ffee", signal }
  const parts = { ...openProvider(events, { price, stop }), budget, now: () => 0 }
  const end = await paidRequest(parts, reserved, asked)
  return { end, taken: await takenUsd(budget) }
}

/** What is no longer there of the 0.02 USD: the next request gets the rest. */
async function takenUsd(budget: Budget): Promise<number> {
  const { signal } = new AbortController()
  const next = await budget.reserve({ messages: [], maxOutputTokens: 1e6, signal })
  if (next.status === "limit") return Number.NaN
  // A token of output is a hundredth of that.
  return Math.round((0.02 - next.amount.cost) * 1e4) / 1e4
}

test("an answered request costs what it came to", async () => {
  const { end, taken } = await requested([busy, finish])
  expect(end).toMatchObject({ status: "answered", cost: 0.0002, unanswered: 0 })
  expect(taken).toBe(0.0002)
})

test("each try that was lost counts as reserved beside the answer", async () => {
  const { end, taken } = await requested([lost, busy, lost, finish])
  expect(end).toMatchObject({ status: "answered", cost: 0.0002, unanswered: 2 })
  expect(taken).toBe(0.0102)
})

test("a try is not made again when another one would not fit beside those that were lost", async () => {
  const { end, taken } = await requested([lost, lost, lost, lost, finish])
  expect(end).toMatchObject({
    status: "limit",
    reached: { status: "limit", limit: "cost" },
    unanswered: 4,
  })
  expect(taken).toBeNaN()
})

test("a refused request costs nothing, and one that was lost counts as reserved", async () => {
  const refused = { provider: "one", model: "m", reason: "HTTP 400: No", hint: "" }
  const failed = (more: object) => failure("provider_failed", { ...refused, ...more })

  const free = await requested([failed({ unbilled: true })])
  expect(free).toMatchObject({ end: { status: "failed", unanswered: 0 }, taken: 0 })

  for (const error of [failed({ unbilled: false }), failed({}), new Error("socket hang up")]) {
    const dear = await requested([error])
    expect(dear).toMatchObject({ end: { status: "failed", unanswered: 1 }, taken: 0.005 })
  }
})

test("a failure from before anything was sent costs nothing", async () => {
  const { taken } = await requested([
    failure("key_missing", { provider: "one", variable: "K", hint: "" }),
  ])
  expect(taken).toBe(0)
})

test("an interrupt in the middle of a reply counts as reserved: the rest of it may have been made", async () => {
  const stop = new AbortController()
  const { end, taken } = await requested([{ type: "delta", of: "text", text: "I" }], stop)
  expect(end).toMatchObject({ status: "failed", error: "interrupted", unanswered: 1 })
  expect(taken).toBe(0.005)
})
