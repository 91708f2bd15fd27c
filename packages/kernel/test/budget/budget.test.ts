import { Limits, type Message, type Price, toFailure, type Usage } from "@harness/protocol"
import { expect, onTestFinished, test } from "vitest"
import {
  type Budget,
  type BudgetModel,
  createBudget,
  type Reserved,
} from "../../src/budget/budget.ts"
import { createTurnClock } from "../../src/budget/turn-clock.ts"

const price: Price = { input: 2, output: 10, cached_input: 0.5 }
const model: BudgetModel = { id: "replay/test", price, fixedBytes: 1_000 }
const usage: Usage = {
  input_tokens: 400,
  cached_input_tokens: 100,
  output_tokens: 50,
  reasoning_tokens: null,
}

type Options = Partial<Omit<Parameters<typeof createBudget>[0], "limits" | "clock">>

function opened(limits: Partial<Limits>, { now, ...rest }: Options & { now?: () => number } = {}) {
  const budget = createBudget({
    conversation: "c0ffee",
    limits: Limits.parse(limits),
    model,
    clock: createTurnClock(now ?? (() => 0)),
    events: [],
    messages: [],
    ...rest,
  })
  const { stop } = budget.startTurn(signal)
  onTestFinished(stop)
  return budget
}

const { signal } = new AbortController()

function user(text: string): Message {
  return { role: "user", content: [{ type: "text", text }] }
}

async function reserved(
  budget: Budget,
  messages: readonly Message[] = [],
  maxOutputTokens?: number,
): Promise<Reserved> {
  const answer = await budget.reserve({ messages, maxOutputTokens, signal })
  if (answer.status === "limit") throw new Error(answer.message)
  return answer
}

test("without limits of cost and tokens no cap is set, and the asked one is passed on", async () => {
  const budget = opened({})
  expect((await reserved(budget)).maxOutputTokens).toBeUndefined()
  expect((await reserved(budget, [], 4_096)).maxOutputTokens).toBe(4_096)
})

test("a turn takes its steps and no more, and the next turn has its own", async () => {
  const budget = opened({ max_steps: 2 })
  budget.release(await reserved(budget))
  budget.settle(await reserved(budget), { usage, cost: null })
  expect(await budget.reserve({ messages: [], signal })).toEqual({
    status: "limit",
    limit: "steps",
    message:
      'The limit of 2 steps a turn is reached. Spent: 2 steps, 450 tokens, 0.0011 USD. To go on: harness run --resume c0ffee "go on"',
  })
  budget.startTurn(signal)
  expect((await reserved(budget)).status).toBe("reserved")
  expect(budget.spent().steps).toBe(3)
})

test("a request is entered with its usage, and its cost by the price, cached input apart", async () => {
  const budget = opened({})
  const cost = budget.settle(await reserved(budget), { usage, cost: null })
  expect(cost).toBeCloseTo((300 * 2 + 100 * 0.5 + 50 * 10) / 1e6, 12)
  expect(budget.spent()).toEqual({
    steps: 1,
    input_tokens: 400,
    cached_input_tokens: 100,
    output_tokens: 50,
    cost,
  })
})

test("a request is settled once: what comes after changes nothing", async () => {
  const budget = opened({})
  const first = await reserved(budget)
  budget.settle(first, { usage, cost: 1 })
  budget.settle(first, { usage, cost: 1 })
  budget.lose(first)
  expect(budget.spent()).toMatchObject({ input_tokens: 400, cost: 1 })
  expect(budget.wayOn()).toMatch(/^Spent: 1 step, 450 tokens, 1.00 USD. To go on/)
})

test("input that is written to the cache has a price of its own, or that of other input", async () => {
  const written = { ...usage, cache_write_input_tokens: 200 }
  const costWith = async (cache_write: number | undefined) => {
    const dear = { ...price, ...(cache_write !== undefined && { cache_write }) }
    const budget = opened({}, { model: { ...model, price: dear } })
    return budget.settle(await reserved(budget), { usage: written, cost: null })
  }

  expect(await costWith(2.5)).toBeCloseTo((100 * 2 + 200 * 2.5 + 100 * 0.5 + 50 * 10) / 1e6, 12)
  expect(await costWith(undefined)).toBeCloseTo((300 * 2 + 100 * 0.5 + 50 * 10) / 1e6, 12)
})

test("the provider's own figure goes before the price", async () => {
  const budget = opened({})
  expect(budget.settle(await reserved(budget), { usage, cost: 0.5 })).toBe(0.5)
})

test("a cost is unknown, never 0, once a step's price is", async () => {
  const budget = opened({}, { model: { ...model, price: undefined } })
  expect(budget.settle(await reserved(budget), { usage, cost: null })).toBeNull()
  budget.settle(await reserved(budget), { usage, cost: 0.5 })
  expect(budget.spent().cost).toBeNull()
  expect(budget.wayOn()).toContain("an unknown cost")
})

test("a cost limit with an unknown price is refused at the start, for a sub-agent too", () => {
  const unknown = { ...model, id: "x/y", price: undefined }
  const expected = { code: "price_unknown", details: { model: "x/y" } }
  expect(failureOf(() => opened({ max_cost: 1 }, { model: unknown }))).toMatchObject(expected)
  expect(failureOf(() => opened({ max_cost: 1 }).child(unknown))).toMatchObject(expected)
})

test("the output is capped at what the rest of the money pays for", async () => {
  const budget = opened({ max_cost: 0.012 })
  // 1,000 bytes may be as many tokens of input: 0.002 USD; 0.010 USD are left for output.
  expect((await reserved(budget)).maxOutputTokens).toBe(1_000)
})

test("a request whose least answer does not fit is not made, and the message says how to go on", async () => {
  const budget = opened({ max_cost: 0.012 })
  const silent = { ...usage, input_tokens: null, output_tokens: null }
  budget.settle(await reserved(budget, [], 600), { usage: silent, cost: 0.004 })
  budget.lose(await reserved(budget, [], 400))
  expect(await budget.reserve({ messages: [], signal })).toEqual({
    status: "limit",
    limit: "cost",
    message:
      'The cost limit of 0.012 USD is reached: the next request can cost 0.0046 USD. Spent: 2 steps, 0 tokens, 0.0040 USD, and at most 0.0060 USD for requests whose cost nobody told. To go on: harness run --resume c0ffee "go on" --max-cost 0.024',
  })
})

test("the command that goes on has the options that set limits, and the raised one in the place of its own", async () => {
  const given = { max_cost: 0.002, max_steps: 7, max_wall_seconds: 90, allow_unknown_price: true }
  const budget = opened(given, { given })
  const rest = "--max-steps 7 --max-wall-seconds 90 --allow-unknown-price"
  const begin = 'harness run --resume c0ffee "go on"'
  expect(budget.wayOn({ first: "make room" })).toBe(
    `Spent: 0 steps, 0 tokens, 0.00 USD. To go on, make room, then: ${begin} --max-cost 0.002 ${rest}`,
  )
  expect(await budget.reserve({ messages: [], signal })).toMatchObject({
    message: expect.stringContaining(`${begin} --max-cost 0.0057 ${rest}`),
  })
})

test("the limit that is suggested has room for the next request, however small the one before was", async () => {
  const budget = opened({ max_cost: 0.0001 })
  const answer = await budget.reserve({ messages: [user("x".repeat(50_000))], signal })
  const suggested = /--max-cost ([\d.]+)$/.exec("message" in answer ? answer.message : "")?.[1]
  const raised = opened({ max_cost: Number(suggested) })
  expect((await reserved(raised, [user("x".repeat(50_000))])).status).toBe("reserved")
})

test("input is what the provider last reported, and each byte added since counts as a token", async () => {
  const budget = opened({ max_tokens: 100_000 })
  const messages = [user("one")]
  const first = await reserved(budget, messages, 100)
  expect(first.inputTokens).toBe(1_000 + JSON.stringify(messages[0]).length)

  budget.settle(first, { usage, cost: null })
  messages.push(user("zwei é"))
  const second = await reserved(budget, messages, 100)
  expect(second.inputTokens).toBe(400 + Buffer.byteLength(JSON.stringify(messages[1])))
})

test("after a compaction what is left of the messages is no more than all of them were", async () => {
  const budget = opened({ max_tokens: 100_000 })
  const before = [user("one"), user("two"), user("x".repeat(5_000))]
  budget.settle(await reserved(budget, before, 10), { usage, cost: null })
  const compacted = [user("one and two"), ...before.slice(2)]
  const next = await reserved(budget, compacted, 10)
  expect(next.inputTokens).toBe(400 + bytesOf(compacted.slice(0, 1)))
  budget.settle(next, { usage: { ...usage, input_tokens: 9_000 }, cost: null })
  const few = [user("three")]
  expect((await reserved(budget, few, 10)).inputTokens).toBe(1_000 + bytesOf(few))
})

test("a request with other instructions says nothing of the next one of the conversation", async () => {
  const budget = opened({ max_tokens: 100_000 })
  const messages = [user("one")]
  const apart = await budget.reserve({ messages, maxOutputTokens: 10, apart: true, signal })
  if (apart.status === "limit") throw new Error(apart.message)
  budget.settle(apart, { usage, cost: null })
  expect((await reserved(budget, messages, 10)).inputTokens).toBe(1_000 + bytesOf(messages))
})

test("an image counts as more than its name", async () => {
  const budget = opened({ max_tokens: 100_000 })
  const size = { width: 1_568, height: 1_568, bytes: 90_000 }
  const evidence = "0".repeat(64)
  const seen: Message = {
    role: "user",
    content: [{ type: "image", evidence, media_type: "image/png", ...size }],
  }
  expect((await reserved(budget, [seen])).inputTokens).toBe(7_000 + bytesOf([seen]))
})

test("a reply that was cut off for a limit says which one, and others say nothing", async () => {
  const budget = opened({ max_cost: 0.012 })
  const first = await reserved(budget, [], 400)
  const second = await reserved(budget, [], 500)
  budget.settle(first, { usage, cost: 0.004 })
  budget.settle(second, { usage, cost: 0.005 })
  expect(budget.cutOff(first)).toBeNull()
  expect(budget.cutOff(second)).toEqual({
    status: "limit",
    limit: "cost",
    message:
      'The cost limit of 0.012 USD is reached: the next request can cost 0.0046 USD. Spent: 2 steps, 900 tokens, 0.0090 USD. To go on: harness run --resume c0ffee "go on" --max-cost 0.024',
  })

  const counted = opened({ max_tokens: 1_500 })
  expect(counted.cutOff(await reserved(counted, [], 900))).toMatchObject({ limit: "tokens" })
})

test("tokens are limited like cost", async () => {
  const budget = opened({ max_tokens: 1_500 })
  const first = await reserved(budget, [], 400)
  expect(first.maxOutputTokens).toBe(400)
  budget.settle(first, { usage, cost: null })
  const second = await reserved(budget)
  expect(second.maxOutputTokens).toBe(1_500 - 450 - 400)
  budget.lose(second)
  expect(await budget.reserve({ messages: [], signal })).toEqual({
    status: "limit",
    limit: "tokens",
    message:
      'The limit of 1,500 tokens is reached: 1,500 are taken, and the next request can take 656. Spent: 2 steps, 450 tokens, 0.0011 USD, and at most 0.0073 USD for requests whose cost nobody told. To go on: harness run --resume c0ffee "go on" --max-tokens 3000',
  })
})

test("what the provider does not report counts as reserved", async () => {
  const silent = { ...usage, input_tokens: null, output_tokens: null }
  const budget = opened({ max_tokens: 3_000 })
  budget.settle(await reserved(budget, [], 1_900), { usage: silent, cost: null })
  expect(await budget.reserve({ messages: [], signal })).toMatchObject({
    status: "limit",
    limit: "tokens",
  })
})

test("a try that was lost counts as reserved, and another one must fit beside it", async () => {
  const budget = opened({ max_cost: 0.012 })
  const first = await reserved(budget, [], 300)
  expect(budget.repeat(first)).toBeNull()
  expect(budget.repeat(first)).toMatchObject({ status: "limit", limit: "cost" })
  budget.settle(first, { usage, cost: 0.001 })
  // 0.005 for the lost one, 0.001 for the other; 400 tokens of input are 0.0008.
  expect((await reserved(budget)).maxOutputTokens).toBe(520)
})

test("a request that fits but for what others hold waits for them; a turn's end ends the wait", async () => {
  const budget = opened({ max_cost: 0.012 })
  const [one, other] = [budget.child(model), budget.child(model)]
  const first = await reserved(one)
  const second = reserved(other)
  const stop = new AbortController()
  const third = budget.reserve({ messages: [], signal: stop.signal })

  one.settle(first, { usage, cost: 0.002 })
  expect((await second).maxOutputTokens).toBe(800)
  stop.abort(new Error("interrupted"))
  await expect(third).rejects.toThrow("interrupted")
})

function bytesOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + Buffer.byteLength(JSON.stringify(message)), 0)
}

function failureOf(call: () => unknown) {
  try {
    call()
  } catch (error) {
    return toFailure(error)
  }
  throw new Error("nothing was thrown")
}
