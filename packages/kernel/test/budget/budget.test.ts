import {
  type DurableEvent,
  Limits,
  type Message,
  type Price,
  toFailure,
  type Usage,
} from "@harness/protocol"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import {
  type Budget,
  type BudgetModel,
  createBudget,
  type Reserved,
} from "../../src/budget/budget.ts"

const price: Price = { input: 2, output: 10, cached_input: 0.5 }
const model: BudgetModel = { id: "replay/test", price, fixedBytes: 1_000 }
const usage: Usage = {
  input_tokens: 400,
  cached_input_tokens: 100,
  output_tokens: 50,
  reasoning_tokens: null,
}

function opened(limits: Partial<Limits>, rest: Partial<Parameters<typeof createBudget>[0]> = {}) {
  const budget = createBudget({
    limits: Limits.parse(limits),
    model,
    now: () => 0,
    events: [],
    ...rest,
  })
  budget.startTurn()
  return budget
}

function user(text: string): Message {
  return { role: "user", content: [{ type: "text", text }] }
}

function reserved(
  budget: Budget,
  messages: readonly Message[] = [],
  maxOutputTokens?: number,
): Reserved {
  const answer = budget.reserve({ messages, maxOutputTokens })
  if (answer.status === "limit") throw new Error(answer.message)
  return answer
}

test("without limits of cost and tokens no cap is set, and the asked one is passed on", () => {
  const budget = opened({})
  expect(reserved(budget).maxOutputTokens).toBeUndefined()
  expect(reserved(budget, [], 4_096).maxOutputTokens).toBe(4_096)
})

test("a turn takes its steps and no more, and the next turn has its own", () => {
  const budget = opened({ max_steps: 2 })
  reserved(budget)
  budget.release(reserved(budget))
  expect(budget.reserve({ messages: [] })).toEqual({
    status: "limit",
    limit: "steps",
    message:
      "The limit of 2 steps a turn is reached. Send a message to go on, or raise --max-steps (limits.max_steps).",
  })
  budget.startTurn()
  expect(reserved(budget).status).toBe("reserved")
  expect(budget.spent().steps).toBe(3)
})

test("a request is entered with its usage, and its cost by the price, cached input apart", () => {
  const budget = opened({})
  const cost = budget.settle(reserved(budget), { usage, cost: null })
  expect(cost).toBeCloseTo((300 * 2 + 100 * 0.5 + 50 * 10) / 1e6, 12)
  expect(budget.spent()).toEqual({
    steps: 1,
    input_tokens: 400,
    cached_input_tokens: 100,
    output_tokens: 50,
    cost,
  })
})

test("input that is written to the cache has a price of its own, or that of other input", () => {
  const written = { ...usage, cache_write_input_tokens: 200 }
  const costWith = (cache_write: number | undefined) => {
    const dear = { ...price, ...(cache_write !== undefined && { cache_write }) }
    const budget = opened({}, { model: { ...model, price: dear } })
    return budget.settle(reserved(budget), { usage: written, cost: null })
  }

  expect(costWith(2.5)).toBeCloseTo((100 * 2 + 200 * 2.5 + 100 * 0.5 + 50 * 10) / 1e6, 12)
  expect(costWith(undefined)).toBeCloseTo((300 * 2 + 100 * 0.5 + 50 * 10) / 1e6, 12)
})

test("the provider's own figure goes before the price", () => {
  const budget = opened({})
  expect(budget.settle(reserved(budget), { usage, cost: 0.5 })).toBe(0.5)
})

test("a cost is unknown, never 0, once a step's price is", () => {
  const budget = opened({}, { model: { ...model, price: undefined } })
  expect(budget.settle(reserved(budget), { usage, cost: null })).toBeNull()
  budget.settle(reserved(budget), { usage, cost: 0.5 })
  expect(budget.spent().cost).toBeNull()
})

test("a cost limit with an unknown price is refused at the start, for a sub-agent too", () => {
  const unknown = { ...model, id: "x/y", price: undefined }
  const expected = { code: "price_unknown", details: { model: "x/y" } }
  expect(failureOf(() => opened({ max_cost: 1 }, { model: unknown }))).toMatchObject(expected)
  expect(failureOf(() => opened({ max_cost: 1 }).child(unknown))).toMatchObject(expected)
})

test("the output is capped at what the rest of the money pays for", () => {
  const budget = opened({ max_cost: 0.012 })
  // 1,000 bytes may be as many tokens of input: 0.002 USD; 0.010 USD are left for output.
  expect(reserved(budget).maxOutputTokens).toBe(1_000)
})

test("a request whose least answer does not fit is not made, and the message says why", () => {
  const budget = opened({ max_cost: 0.012 })
  const first = reserved(budget, [], 600)
  expect(budget.reserve({ messages: [] })).toEqual({
    status: "limit",
    limit: "cost",
    message:
      "The cost limit of 0.012 USD is reached: 0.0080 USD is spent, and the next request can cost 0.0046 USD. Raise --max-cost (limits.max_cost) to go on.",
  })
  budget.release(first)
  budget.release(first)
  expect(reserved(budget, [], 500).status).toBe("reserved")
})

test("input is what the provider last reported, and each byte added since counts as a token", () => {
  const budget = opened({ max_tokens: 100_000 })
  const messages = [user("one")]
  const first = reserved(budget, messages, 100)
  expect(first.inputTokens).toBe(1_000 + JSON.stringify(messages[0]).length)

  budget.settle(first, { usage, cost: null })
  messages.push(user("zwei é"))
  const second = reserved(budget, messages, 100)
  expect(second.inputTokens).toBe(400 + Buffer.byteLength(JSON.stringify(messages[1])))
})

test("tokens are limited like cost", () => {
  const budget = opened({ max_tokens: 1_500 })
  const first = reserved(budget, [], 400)
  expect(first.maxOutputTokens).toBe(400)
  budget.settle(first, { usage, cost: null })
  const second = reserved(budget)
  expect(second.maxOutputTokens).toBe(1_500 - 450 - 400)
  expect(budget.reserve({ messages: [] })).toMatchObject({ status: "limit", limit: "tokens" })
})

test("what the provider does not report counts as reserved", () => {
  const silent = { ...usage, input_tokens: null, output_tokens: null }
  const budget = opened({ max_tokens: 3_000 })
  budget.settle(reserved(budget, [], 1_000), { usage: silent, cost: null })
  expect(budget.reserve({ messages: [] })).toMatchObject({ status: "limit", limit: "tokens" })
})

test("time is looked at before a request", () => {
  let nowMs = 0
  const budget = opened({ max_wall_seconds: 60 }, { now: () => nowMs })
  nowMs = 59_999
  expect(reserved(budget).status).toBe("reserved")
  nowMs = 60_000
  expect(budget.reserve({ messages: [] })).toMatchObject({ status: "limit", limit: "wall" })
  budget.startTurn()
  expect(reserved(budget).status).toBe("reserved")
})

test("a resumed conversation goes on with what it had spent", () => {
  const at = "2026-01-02T03:04:05.000Z"
  const step = { turn: 1, step: 1, model: model.id }
  const events: DurableEvent[] = [
    { seq: 1, at, type: "step_started", ...step },
    {
      seq: 2,
      at,
      type: "step_ended",
      ...step,
      message: { role: "assistant", content: [] },
      finish: "stop",
      usage,
      cost: 0.99,
      duration_ms: 1,
      first_token_ms: null,
    },
  ]
  const budget = opened({ max_cost: 1 }, { events })
  expect(budget.spent()).toEqual({
    steps: 1,
    input_tokens: 400,
    cached_input_tokens: 100,
    output_tokens: 50,
    cost: 0.99,
  })
  expect(reserved(budget).maxOutputTokens).toBe(800)
})

test("a tree of agents that ask side by side never exceeds its cost, tokens or steps", async () => {
  const prices = fc.record({ input: fc.nat(20), output: fc.nat(80), cached_input: fc.nat(30) })
  const limits = fc.record({
    max_steps: fc.integer({ min: 1, max: 12 }),
    max_cost: fc.option(fc.double({ min: 0.0001, max: 0.2, noNaN: true })),
    max_tokens: fc.option(fc.integer({ min: 1, max: 40_000 })),
  })
  const operation = fc.record({
    agent: fc.nat(3),
    text: fc.string({ maxLength: 40 }),
    cap: fc.option(fc.integer({ min: 1, max: 3_000 }), { nil: undefined }),
    ends: fc.constantFrom("settle", "release", "later"),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  })

  await fc.assert(
    fc.property(
      limits,
      fc.array(prices, { minLength: 4, maxLength: 4 }),
      fc.array(operation),
      (bounds, costs, operations) => {
        const models = costs.map((each, index) => ({
          id: `m/${index}`,
          price: each,
          fixedBytes: 50,
        }))
        const root = opened(bounds, { model: models[0] ?? model })
        const agents = models.map((each, index) => ({
          budget: index === 0 ? root : root.child(each),
          messages: [] as Message[],
        }))
        let tokens = 0
        let steps = 0
        const waiting: (() => void)[] = []

        for (const { agent, text, cap, ends, share } of operations) {
          const asking = agents[agent]
          if (asking === undefined) continue
          asking.messages.push(user(text))
          const answer = asking.budget.reserve({ messages: asking.messages, maxOutputTokens: cap })
          if (answer.status === "limit") continue
          steps += 1
          const settle = () => {
            const input = Math.floor(answer.inputTokens * share)
            const output = Math.floor((answer.maxOutputTokens ?? 0) * share)
            tokens += input + output
            const used = {
              ...usage,
              input_tokens: input,
              cached_input_tokens: Math.floor(input / 2),
              output_tokens: output,
            }
            asking.budget.settle(answer, { usage: used, cost: null })
          }
          if (ends === "settle") settle()
          else if (ends === "release") asking.budget.release(answer)
          else waiting.push(settle)
        }
        for (const settle of waiting) settle()

        expect(steps).toBeLessThanOrEqual(bounds.max_steps)
        if (bounds.max_tokens !== null) expect(tokens).toBeLessThanOrEqual(bounds.max_tokens)
        if (bounds.max_cost !== null)
          expect(root.spent().cost).toBeLessThanOrEqual(bounds.max_cost + 1e-12)
      },
    ),
    { numRuns: 500 },
  )
}, 60_000)

function failureOf(call: () => unknown) {
  try {
    call()
  } catch (error) {
    return toFailure(error)
  }
  throw new Error("nothing was thrown")
}
