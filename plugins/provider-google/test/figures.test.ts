import { expect, test } from "vitest"
import { google } from "../src/index.ts"

test("a model at the vendor has its price with tiers, its window and limits", async () => {
  const env = { GEMINI_API_KEY: "sk-test" }
  const { stream: _stream, ...figures } = await google.create({
    model: "gemini-2.5-pro",
    env,
    config: {},
  })
  expect(figures).toEqual({
    price: expect.objectContaining({
      tiers: [expect.objectContaining({ above_input_tokens: 200_000 })],
    }),
    contextTokens: 1_048_576,
    outputTokens: 65_536,
    images: expect.objectContaining({ longestSidePixels: 2_000 }),
  })
})

test("behind a gateway the models are listed without their prices, and without a key", async () => {
  const config = { base_url: "https://gateway.example.com" }
  const models = (await google.models?.({ env: {}, config })) ?? []
  const known = models.find(({ id }) => id === "google/gemini-2.5-pro")
  expect(known).toMatchObject({ price: null, images: true })
})
