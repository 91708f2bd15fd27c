import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Price } from "@harness/protocol"
import { describe, expect, test } from "vitest"
import { CatalogueFile, type CatalogueModel } from "../../src/catalogue/file.ts"

const folder = join(import.meta.dirname, "../../src/catalogue/data")
const names = await readdir(folder)
const files = await Promise.all(
  names.map(async name => ({ name, text: await readFile(join(folder, name), "utf8") })),
)

function modelsOf(server: string): Record<string, CatalogueModel> {
  const file = files.find(({ name }) => name === `${server}.json`)
  return CatalogueFile.parse(JSON.parse(file?.text ?? "")).models
}

test("there are models of the three vendors, and of servers that speak as OpenAI does", () => {
  const servers = names.map(name => name.replace(/\.json$/, ""))
  expect(servers).toEqual(expect.arrayContaining(["anthropic", "google", "openai"]))
  expect(servers).toEqual(
    expect.arrayContaining(["deepseek", "groq", "mistral", "openrouter", "together", "xai"]),
  )
})

describe.for(files)("$name", ({ text }) => {
  const { models, ...head } = CatalogueFile.parse(JSON.parse(text))

  test("its models stand sorted, a line for each", () => {
    const ids = Object.keys(models)
    expect(ids).toEqual(ids.toSorted())
    expect(text.split("\n")).toHaveLength(ids.length + 8)
    expect(ids.length).toBeGreaterThan(0)
  })

  test("its figures are plausible", () => {
    expect(Date.parse(head.generated_at)).toBeGreaterThan(Date.parse("2026-01-01"))
    for (const [id, model] of Object.entries(models)) expect.soft(oddities(id, model)).toEqual([])
  })
})

/** What cannot be true of a model. */
function oddities(id: string, model: CatalogueModel): string[] {
  const { context_tokens: window = 0, output_tokens: output = 0, price } = model
  const all = price === undefined ? [] : [price, ...(price.tiers ?? [])]
  const isFree = id.endsWith(":free")
  return [
    ...(window < 1_000 || window > 20_000_000 ? ["window"] : []),
    ...(output > window ? ["output is larger than the window"] : []),
    ...(model.input.includes("text") ? [] : ["no text"]),
    ...model.input.filter(kind => kind !== "text" && kind !== "image"),
    ...all.flatMap(rates => (isFree ? [] : oddRates(rates))),
    ...oddTiers(price),
  ].map(oddity => `${id}: ${oddity}`)
}

function oddRates({ input, output, cached_input: cached, cache_write: write }: Price): string[] {
  return [
    ...(input <= 0 || input > 1_000 ? ["price of input"] : []),
    ...(output <= 0 || output > 2_000 ? ["price of output"] : []),
    ...(cached !== undefined && (cached <= 0 || cached > input) ? ["price of cached input"] : []),
    ...(write !== undefined && (write <= 0 || write > 3 * input) ? ["price of writes"] : []),
  ]
}

function oddTiers(price: Price | undefined): string[] {
  const bounds = (price?.tiers ?? []).map(tier => tier.above_input_tokens)
  const rising = bounds.every((bound, at) => bound > (bounds[at - 1] ?? 0))
  return rising ? [] : ["tiers do not rise"]
}

test("the models that people use today are there, with all their figures", () => {
  const used = {
    anthropic: [
      "claude-sonnet-5",
      "claude-opus-5",
      "claude-haiku-4-5",
      "claude-sonnet-4-5-20250929",
    ],
    openai: ["gpt-5", "gpt-5-mini", "gpt-5.2", "gpt-6-sol", "o3"],
    google: ["gemini-2.5-pro", "gemini-3-flash-preview", "gemini-4-neon", "gemini-pro-latest"],
  }
  for (const [server, ids] of Object.entries(used)) {
    const models = modelsOf(server)
    for (const id of ids) {
      expect(models[id]).toEqual({
        context_tokens: expect.any(Number),
        output_tokens: expect.any(Number),
        input: ["text", "image"],
        price: expect.objectContaining({ cached_input: expect.any(Number) }),
      })
    }
  }
})

test("a window is the whole one, also where a part of it is dearer", () => {
  expect(modelsOf("openai")["gpt-6-sol"]).toMatchObject({
    context_tokens: 1_050_000,
    price: { tiers: [{ above_input_tokens: 272_000 }] },
  })
})
