import type { Price, Usage } from "@harness/protocol"
import fc from "fast-check"
import { expect, test } from "vitest"
import { costOf } from "../src/index.ts"

const tokens = (
  input_tokens: number | null,
  cached_input_tokens: number | null,
  output_tokens: number | null,
): Usage => ({ input_tokens, cached_input_tokens, output_tokens, reasoning_tokens: null })

const cachedPrice: Price = { input: 3, output: 15, cached_input: 0.3 }

test.each<[string, number | null, Usage, Price]>([
  ["fresh input and output", 4.5, tokens(1_000_000, 0, 100_000), { input: 3, output: 15 }],
  ["cached input at its own price", 0.57, tokens(1_000_000, 900_000, 0), cachedPrice],
  [
    "cached input without its own price",
    3,
    tokens(1_000_000, 900_000, 0),
    { input: 3, output: 15 },
  ],
  ["cached input that is not known", 3, tokens(1_000_000, null, 0), cachedPrice],
  ["unknown input", null, tokens(null, null, 10), { input: 3, output: 15 }],
  ["unknown output", null, tokens(10, null, null), { input: 3, output: 15 }],
  ["a model without a price", 0, tokens(10, 0, 10), { input: 0, output: 0 }],
])("%s: the cost is %s", (_what, cost, usage, price) => {
  expect(costOf(usage, price)).toEqual(cost === null ? null : expect.closeTo(cost, 9))
})

test("a request never costs less than nothing, nor more than all its tokens at the highest price", () => {
  const count = fc.nat(2_000_000)
  const amount = fc.double({ min: 0, max: 100, noNaN: true })

  fc.assert(
    fc.property(count, count, count, amount, amount, amount, (input, cached, output, a, b, c) => {
      const cost = costOf(tokens(input, cached, output), { input: a, output: b, cached_input: c })
      const most = ((input + output) * Math.max(a, b, c)) / 1_000_000
      return cost !== null && cost >= 0 && cost <= most * (1 + 1e-9)
    }),
  )
})
