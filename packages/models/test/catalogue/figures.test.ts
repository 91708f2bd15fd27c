import { expect, test } from "vitest"
import { figuresOf, listedModels } from "../../src/catalogue/index.ts"

const own = { baseUrl: "https://api.anthropic.com/v1", vendor: "anthropic" } as const
const gateway = { baseUrl: "https://models.example.com/v1", vendor: "anthropic" } as const

const sonnet = {
  price: { input: 2, output: 10, cached_input: 0.2, cache_write: 2.5 },
  contextTokens: 1_000_000,
  outputTokens: 128_000,
  images: {
    mediaTypes: ["image/png", "image/jpeg", "image/webp", "image/gif"],
    longestSidePixels: 2_000,
    limitBytes: 3_538_944,
  },
}

test("a vendor's own server has the window, the limits and the price of its models", async () => {
  expect(await figuresOf("claude-sonnet-5", own)).toEqual(sonnet)
})

test("at a server that nobody knows, the vendor's model keeps all but its price", async () => {
  const { price: _unknown, ...rest } = sonnet
  expect(await figuresOf("claude-sonnet-5", gateway)).toEqual(rest)
})

test("a server that resells has its own names and prices", async () => {
  const { price, contextTokens } = await figuresOf("anthropic/claude-sonnet-5", {
    baseUrl: "https://openrouter.ai/api/v1",
  })
  expect(price).toMatchObject({ input: 2, output: 10 })
  expect(contextTokens).toBe(1_000_000)
})

test("of a server that nobody knows, and of no vendor, nothing is known", async () => {
  const asked = { baseUrl: "http://127.0.0.1:11434/v1" }
  expect(await figuresOf("claude-sonnet-5", asked)).toEqual({})
  expect(await listedModels("openai-compatible", asked)).toBeNull()
})

test("another port of a known host is another server", async () => {
  expect(await figuresOf("gpt-5", { baseUrl: "https://api.openai.com:8443/v1" })).toEqual({})
})

test("a dated name is the model without its date, unless it is there itself", async () => {
  const asked = { baseUrl: "https://api.openai.com/v1" }
  expect((await figuresOf("gpt-5-2025-08-07", asked)).price).toMatchObject({ input: 1.25 })
  expect((await figuresOf("gpt-4o-2024-05-13", asked)).price).toEqual({ input: 5, output: 15 })
  expect(await figuresOf("gpt-5-search-api-2025-10-14", asked)).toEqual({})
  expect(await figuresOf("__proto__", asked)).toEqual({})
})

test("of a model that the catalogue does not have nothing is known, and a misspelt one is told", async () => {
  expect(await figuresOf("claude-sonnet-7", own)).toEqual({})
  expect(await figuresOf("claude-sonet-5", own)).toEqual({
    notice:
      "The catalogue of 2026-11-20 has no model claude-sonet-5. Did you mean claude-sonnet-5?",
  })
})

test("the models of a server are listed with what is known of each", async () => {
  const listed = await listedModels("anthropic", own)
  expect(listed?.find(({ id }) => id === "anthropic/claude-sonnet-5")).toEqual({
    id: "anthropic/claude-sonnet-5",
    provider: "anthropic",
    context_tokens: 1_000_000,
    output_tokens: 128_000,
    images: true,
    price: sonnet.price,
    generated_at: "2026-11-20",
  })
  const behind = await listedModels("anthropic", gateway)
  expect(behind?.map(({ price }) => price)).toEqual(listed?.map(() => null))
})
