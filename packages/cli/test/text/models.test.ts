import type { ListedModel } from "@harness/protocol"
import { expect, test } from "vitest"
import { modelLines } from "../../src/text/models.ts"

const known: ListedModel = {
  id: "vendor/large",
  provider: "vendor",
  context_tokens: 1_000_000,
  output_tokens: 128_000,
  images: true,
  price: {
    input: 2,
    output: 10,
    cached_input: 0.025,
    tiers: [{ above_input_tokens: 200_000, input: 4, output: 15 }],
  },
  generated_at: "2026-11-20",
  default: true,
  configured: [],
}

const unknown: ListedModel = {
  id: "local/qwen",
  provider: "local",
  context_tokens: 32_768,
  output_tokens: null,
  images: null,
  price: null,
  generated_at: null,
  default: false,
  configured: ["context_tokens"],
}

test("models stand in a table: what is unknown says so, and what the user set is marked", () => {
  expect(modelLines([known, unknown])).toBe(
    `
   model            window   output   images     $ in  $ cached  $ out  notes
*  vendor/large  1,000,000  128,000      yes     2.00     0.025  10.00  above 200,000: 4.00 in, 15.00 out
   local/qwen       32,768  unknown  unknown  unknown                   window: config.jsonc
`.slice(1),
  )
})

test("where the table does not fit, each model is a few short lines", () => {
  expect(modelLines([known, unknown], 60)).toBe(
    `
* vendor/large
  window 1,000,000, output 128,000, images yes
  $ in 2.00, cached 0.025, out 10.00
  above 200,000: 4.00 in, 15.00 out
local/qwen
  window 32,768, output unknown, images unknown
  price unknown
  window: config.jsonc
`.slice(1),
  )
})
