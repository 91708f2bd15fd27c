import { expect, test } from "vitest"
import { isKept, modelOf } from "../../scripts/catalogue/model.mjs"

const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
const cost = { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 0 }
const source = {
  type: "chat",
  id: "model",
  input: ["text", "image"],
  cost,
  contextWindow: 400_000,
  maxTokens: 128_000,
}

test("a model of the source is told in our words, its tiers in their order", () => {
  const tiers = [
    { ...cost, inputTokensAbove: 256_000, input: 5 },
    { ...cost, inputTokensAbove: 128_000, input: 2.5, cacheWrite: 3.125 },
  ]
  expect(modelOf({ ...source, cost: { ...cost, tiers } })).toEqual({
    context_tokens: 400_000,
    output_tokens: 128_000,
    input: ["text", "image"],
    price: {
      input: 1.25,
      output: 10,
      cached_input: 0.125,
      tiers: [
        {
          above_input_tokens: 128_000,
          input: 2.5,
          output: 10,
          cached_input: 0.125,
          cache_write: 3.125,
        },
        { above_input_tokens: 256_000, input: 5, output: 10, cached_input: 0.125 },
      ],
    },
  })
})

test("a price of 0 is an unknown one, unless the name says that it is free", () => {
  const { price: unknown } = modelOf({ ...source, cost: free })
  const { price } = modelOf({ ...source, id: "model:free", cost: free })
  expect({ unknown, price }).toEqual({ unknown: undefined, price: { input: 0, output: 0 } })
})

test("a price that cannot be true is an unknown one", () => {
  const dearCache = modelOf({ ...source, cost: { ...cost, cacheRead: 2 } })
  const negative = modelOf({ ...source, cost: { ...cost, output: -1 } })
  expect([dearCache.price, negative.price]).toEqual([undefined, undefined])
})

test("what is no chat, another interface or a moving name is not kept", () => {
  expect(isKept(source)).toBe(true)
  expect(isKept({ ...source, type: "classifier" })).toBe(false)
  expect(isKept({ ...source, id: "model:batch" })).toBe(false)
  expect(isKept({ ...source, id: "~vendor/model-latest" })).toBe(false)
})
