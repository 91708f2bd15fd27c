import { expect, test } from "vitest"
import { openai } from "../src/index.ts"

test("a model at the vendor has its price with tiers, its window and limits", async () => {
  const env = { OPENAI_API_KEY: "sk-test" }
  const { stream: _stream, ...figures } = await openai.create({
    model: "gpt-6-sol",
    env,
    config: {},
  })
  expect(figures).toEqual({
    price: expect.objectContaining({
      tiers: [expect.objectContaining({ above_input_tokens: 272_000 })],
    }),
    contextTokens: 1_050_000,
    outputTokens: 128_000,
    images: expect.objectContaining({ longestSidePixels: 2_000 }),
  })
})

test("behind a gateway the models are listed without their prices, and without a key", async () => {
  const config = { base_url: "https://gateway.example.com" }
  const models = (await openai.models?.({ env: {}, config })) ?? []
  const known = models.find(({ id }) => id === "openai/gpt-6-sol")
  expect(known).toMatchObject({ price: null, images: true })
})
