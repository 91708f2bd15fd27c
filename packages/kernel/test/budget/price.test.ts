import type { Price, Usage } from "@harness/protocol"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { costAtMost, costOf, outputTokensFor } from "../../src/budget/price.ts"

const tiered: Price = {
  input: 2,
  output: 10,
  cached_input: 0.2,
  cache_write: 2.5,
  tiers: [
    { above_input_tokens: 500_000, input: 8, output: 40 },
    { above_input_tokens: 200_000, input: 4, output: 15, cached_input: 0.4, cache_write: 5 },
  ],
}

function usage(input: number, rest: Partial<Usage> = {}): Usage {
  return {
    input_tokens: input,
    cached_input_tokens: 0,
    output_tokens: 1_000,
    reasoning_tokens: null,
    ...rest,
  }
}

test("input, cached input, written input and output have each their price", () => {
  const spent = usage(10_000, { cached_input_tokens: 6_000, cache_write_input_tokens: 3_000 })
  expect(costOf(spent, tiered)).toBeCloseTo(
    (1_000 * 2 + 6_000 * 0.2 + 3_000 * 2.5 + 1_000 * 10) / 1e6,
    12,
  )
})

test("without a price of its own, cached and written input cost as other input", () => {
  const spent = usage(10_000, { cached_input_tokens: 6_000, cache_write_input_tokens: 3_000 })
  expect(costOf(spent, { input: 2, output: 10 })).toBeCloseTo((10_000 * 2 + 1_000 * 10) / 1e6, 12)
})

test("the highest tier that the whole input exceeds prices all of the request", () => {
  expect(costOf(usage(200_000), tiered)).toBeCloseTo((200_000 * 2 + 1_000 * 10) / 1e6, 12)
  expect(costOf(usage(200_001, { cached_input_tokens: 200_000 }), tiered)).toBeCloseTo(
    (1 * 4 + 200_000 * 0.4 + 1_000 * 15) / 1e6,
    12,
  )
  expect(costOf(usage(600_000), tiered)).toBeCloseTo((600_000 * 8 + 1_000 * 40) / 1e6, 12)
})

test("an unknown price, or a count that nobody told, is an unknown cost", () => {
  expect(costOf(usage(10), undefined)).toBeNull()
  expect(costOf({ ...usage(10), input_tokens: null }, tiered)).toBeNull()
  expect(costOf({ ...usage(10), output_tokens: null }, tiered)).toBeNull()
})

const rate = fc.double({ min: 0, max: 100, noNaN: true })
const count = fc.nat(1_000_000)
const rates = fc.record(
  { input: rate, output: rate, cached_input: rate, cache_write: rate },
  { requiredKeys: ["input", "output"] },
)
const anyTier = fc
  .tuple(count, rates)
  .map(([above, own]) => ({ above_input_tokens: above, ...own }))
const anyPrice: fc.Arbitrary<Price> = fc
  .tuple(rates, fc.array(anyTier, { maxLength: 4 }))
  .map(([own, tiers]) => ({ ...own, tiers }))

const rounding = 1e-9

test("no request of so many tokens or fewer costs more than the most that it can", async () => {
  await fc.assert(
    fc.property(anyPrice, count, count, count, count, count, (price, input, ...counts) => {
      const [output, fewer, cached, written] = counts
      const spent = usage(Math.min(fewer, input), {
        output_tokens: output,
        cached_input_tokens: cached,
        cache_write_input_tokens: written,
      })
      const most = costAtMost({ inputTokens: input, outputTokens: output }, price)
      expect(costOf(spent, price)).toBeLessThanOrEqual(most + rounding)
    }),
  )
})

test("what is left for output pays for as many tokens as it is told to, and for no more", async () => {
  await fc.assert(
    fc.property(anyPrice, count, fc.double({ min: 0, max: 50, noNaN: true }), (price, ...rest) => {
      const [inputTokens, usd] = rest
      const outputTokens = outputTokensFor(usd, price, inputTokens)
      if (outputTokens === Number.POSITIVE_INFINITY) return
      const inputCost = costAtMost({ inputTokens, outputTokens: 0 }, price)
      const withOutput = costAtMost({ inputTokens, outputTokens }, price)
      const withMore = costAtMost({ inputTokens, outputTokens: outputTokens + 1 }, price)
      expect(withOutput).toBeLessThanOrEqual(inputCost + usd + rounding)
      expect(withMore).toBeGreaterThanOrEqual(inputCost + usd - rounding)
    }),
  )
})

test("nothing left pays for nothing, and free output for any", () => {
  expect(outputTokensFor(-0.01, tiered, 10)).toBe(0)
  expect(outputTokensFor(1, { input: 1, output: 0 }, 10)).toBe(Number.POSITIVE_INFINITY)
})
