import { expect, test } from "vitest"
import { anthropic } from "../src/index.ts"

const env = { ANTHROPIC_API_KEY: "sk-test" }

test("a model at Anthropic has its price, window and limits", async () => {
  const { stream: _stream, ...figures } = await anthropic.create({
    model: "claude-sonnet-5",
    env,
    config: {},
  })
  expect(figures).toEqual({
    price: { input: 2, output: 10, cached_input: 0.2, cache_write: 2.5 },
    contextTokens: 1_000_000,
    outputTokens: 128_000,
    images: expect.objectContaining({ longestSidePixels: 2_000 }),
  })
})

test("behind a gateway it has no price: that is what the gateway says", async () => {
  const config = { base_url: "https://gateway.example.com" }
  const provider = await anthropic.create({ model: "claude-sonnet-5", env, config })
  expect([provider.price, provider.contextTokens]).toEqual([undefined, 1_000_000])
})

test("a prompt that is kept for an hour costs twice the input to keep, in each tier", async () => {
  const config = { cache_ttl: "1h" }
  const provider = await anthropic.create({ model: "claude-haiku-5-5", env, config })
  expect(provider.price).toMatchObject({
    input: 0.1,
    cache_write: 0.2,
    tiers: [{ above_input_tokens: 100_000, input: 0.5, cache_write: 1 }],
  })
})

test("a model that nobody knows can be used, and nothing is claimed of it", async () => {
  const { stream: _stream, ...figures } = await anthropic.create({
    model: "claude-epic-9",
    env,
    config: {},
  })
  expect(figures).toEqual({})
})

test("the models are listed without a key", async () => {
  const models = (await anthropic.models?.({ env: {}, config: {} })) ?? []
  expect(models.map(({ id }) => id)).toContain("anthropic/claude-opus-5")
  expect(models.every(({ price }) => price !== null)).toBe(true)
})
