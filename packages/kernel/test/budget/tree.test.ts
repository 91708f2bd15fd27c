import { Limits, type Message, type Price, type Usage } from "@harness/protocol"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { type Budget, createBudget, type Reserved } from "../../src/budget/budget.ts"
import { costOf } from "../../src/budget/price.ts"
import { createTurnClock } from "../../src/budget/turn-clock.ts"

// A vendor's bill beside the budget: what each request really came to, whatever was told of it.

const prices: fc.Arbitrary<Price> = fc.record(
  {
    input: fc.nat(20),
    output: fc.nat(80),
    cached_input: fc.nat(30),
    cache_write: fc.nat(30),
    tiers: fc.array(
      fc.record({ above_input_tokens: fc.nat(400), input: fc.nat(20), output: fc.nat(90) }),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: ["input", "output"] },
)

const bounds = fc.record({
  max_steps: fc.integer({ min: 1, max: 30 }),
  max_cost: fc.option(fc.double({ min: 0.0001, max: 0.2, noNaN: true })),
  max_tokens: fc.option(fc.integer({ min: 1, max: 40_000 })),
})

const request = fc.record({
  text: fc.string({ maxLength: 40 }),
  cap: fc.option(fc.integer({ min: 1, max: 3_000 }), { nil: undefined }),
  /** Tries before the last one that were sent and lost. */
  lost: fc.nat(2),
  ends: fc.constantFrom("told", "silent", "own figure", "lost", "refused"),
  /** Of what it can come to at most. */
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  /** How long it takes, beside the others. */
  turns: fc.nat(6),
})
type Request = typeof request extends fc.Arbitrary<infer Value> ? Value : never

const agent = fc.record({ price: prices, requests: fc.array(request, { maxLength: 6 }) })

test("five agents that ask side by side never come to more than their one limit, whatever is told of it", async () => {
  await fc.assert(
    fc.asyncProperty(
      bounds,
      fc.array(agent, { minLength: 5, maxLength: 5 }),
      async (limits, agents) => {
        const bill = { cost: 0, tokens: 0, steps: 0 }
        const [first, ...others] = agents.map(({ price }, index) => ({
          id: `m/${index}`,
          price,
          fixedBytes: 50,
        }))
        if (first === undefined) return
        const root = createBudget({
          conversation: "c0ffee",
          limits: Limits.parse(limits),
          model: first,
          clock: createTurnClock(() => 0),
          events: [],
          messages: [],
        })
        root.startTurn(signal)
        const budgets = [root, ...others.map(model => root.child(model))]

        await Promise.all(
          budgets.map((budget, index) =>
            carryOut(budget, agents[index] ?? { price: first.price, requests: [] }, bill),
          ),
        )

        expect(bill.steps).toBeLessThanOrEqual(limits.max_steps)
        if (limits.max_tokens !== null)
          expect(bill.tokens).toBeLessThanOrEqual(limits.max_tokens + 1e-6)
        if (limits.max_cost !== null) expect(bill.cost).toBeLessThanOrEqual(limits.max_cost + 1e-12)
      },
    ),
    { numRuns: 400 },
  )
}, 60_000)

const { signal } = new AbortController()

type Bill = { cost: number; tokens: number; steps: number }

async function carryOut(
  budget: Budget,
  { price, requests }: { price: Price; requests: readonly Request[] },
  bill: Bill,
): Promise<void> {
  const messages: Message[] = []
  for (const { text, cap, lost, ends, share, turns } of requests) {
    messages.push({ role: "user", content: [{ type: "text", text }] })
    const reserved = await budget.reserve({ messages: [...messages], maxOutputTokens: cap, signal })
    if (reserved.status === "limit") continue
    bill.steps += 1
    const most = reserved.amount
    const part = { cost: most.cost * share, tokens: most.tokens * share }

    let refused = false
    for (let tries = 0; tries < lost && !refused; tries += 1) {
      add(bill, part)
      await turnsOf(turns)
      refused = budget.repeat(reserved) !== null
    }
    if (refused) {
      budget.lose(reserved)
      continue
    }
    await turnsOf(turns)
    end(budget, reserved, { ends, share, part, price, bill })
  }
}

function end(
  budget: Budget,
  reserved: Reserved,
  how: {
    ends: Request["ends"]
    share: number
    part: { cost: number; tokens: number }
    price: Price
    bill: Bill
  },
): void {
  const usage = usageOf(reserved, how.share)
  switch (how.ends) {
    case "told": {
      add(how.bill, { cost: costOf(usage, how.price) ?? Number.NaN, tokens: tokensOf(usage) })
      budget.settle(reserved, { usage, cost: null })
      break
    }
    case "own figure":
      add(how.bill, { cost: how.part.cost, tokens: tokensOf(usage) })
      budget.settle(reserved, { usage, cost: how.part.cost })
      break
    case "silent":
      add(how.bill, how.part)
      budget.settle(reserved, { usage: silent, cost: null })
      break
    case "lost":
      add(how.bill, how.part)
      budget.lose(reserved)
      break
    case "refused":
      budget.release(reserved)
  }
}

function add(bill: Bill, { cost, tokens }: { cost: number; tokens: number }): void {
  bill.cost += cost
  bill.tokens += tokens
}

function usageOf({ inputTokens, maxOutputTokens }: Reserved, share: number): Usage {
  const input = Math.floor(inputTokens * share)
  return {
    input_tokens: input,
    cached_input_tokens: Math.floor(input / 2),
    cache_write_input_tokens: Math.floor(input / 3),
    output_tokens: Math.floor((maxOutputTokens ?? 0) * share),
    reasoning_tokens: null,
  }
}

const silent: Usage = {
  input_tokens: null,
  cached_input_tokens: null,
  output_tokens: null,
  reasoning_tokens: null,
}

function tokensOf({ input_tokens, output_tokens }: Usage): number {
  return (input_tokens ?? 0) + (output_tokens ?? 0)
}

async function turnsOf(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await null
}
