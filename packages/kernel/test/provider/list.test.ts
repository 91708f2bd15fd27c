import { Config, Manifest, toFailure } from "@harness/protocol"
import { expect, test } from "vitest"
import { listModels } from "../../src/provider/list.ts"
import { resolveModel } from "../../src/provider/resolve.ts"
import { createRegistry } from "../../src/registry/registry.ts"

const providers = ["failing", "garbled", "greedy", "listing", "mute", "silent"]

const registry = createRegistry({
  home: "/nowhere",
  builtins: [
    {
      name: "providers",
      version: "1.0.0",
      manifest: Manifest.parse({
        api: 1,
        contributes: { providers: providers.map(name => ({ name, models: [`${name}-`] })) },
      }),
      modules: { ".": new URL("../support/listing-providers.ts", import.meta.url).href },
    },
  ],
  hosted: {
    "@harness/sdk": new URL("../../../sdk/src/index.ts", import.meta.url).href,
    "@harness/protocol": new URL("../../../protocol/src/index.ts", import.meta.url).href,
  },
  env: {},
})

const keys = {
  home: "/nowhere",
  env: {},
  log: { record: () => {}, defer: () => {}, flush: () => {}, hide: () => {} },
  keychain: { entry: "/nowhere", nodeFlags: [] },
}

function contextOf(config: object) {
  const lineOf = (path: readonly string[]) => (path.length === 2 ? 4 : undefined)
  return { ...keys, registry, config: Config.parse(config), lineOf }
}

const large = {
  id: "listing/large",
  provider: "listing",
  context_tokens: 200_000,
  output_tokens: 64_000,
  images: true,
  price: { input: 3, output: 15, cached_input: 0.3 },
  generated_at: "2026-11-20",
  default: false,
  configured: [],
}

const nothingKnown = {
  context_tokens: null,
  output_tokens: null,
  images: null,
  price: null,
  generated_at: null,
  default: false,
  configured: [],
}

test("all that can be listed is, and who cannot say is named with the reason", async () => {
  expect(await listModels(undefined, contextOf({}), { timeoutMs: 50 })).toEqual({
    type: "models",
    models: [large],
    unknown: [
      {
        provider: "failing",
        reason: "config.jsonc:4: providers.failing.base_url: is no URL.",
      },
      {
        provider: "garbled",
        reason: expect.stringContaining("its list is not valid: 0.provider: "),
      },
      { provider: "greedy", reason: "it lists listing/large, which is not its own" },
      { provider: "mute", reason: "it did not answer within 50 ms" },
      { provider: "silent", reason: "it does not list its models" },
    ],
  })
})

test("the configuration goes before a provider's figures, each by itself, and a price as a whole", async () => {
  const own = { price: { input: 1, output: 2 }, output_tokens: 8_000, images: false }
  const context = contextOf({ models: { "listing/large": own } })
  const { price, ...rest } = own

  expect(await listModels("listing", context)).toMatchObject({
    models: [{ ...large, ...rest, price, configured: ["output_tokens", "images", "price"] }],
  })
  expect(await resolveModel("listing/large", context)).toMatchObject({
    price,
    contextTokens: 200_000,
    outputTokens: 8_000,
    maxOutputTokens: 8_000,
    images: undefined,
  })
})

test("models that the configuration alone names are listed, and what a run uses is marked", async () => {
  const context = contextOf({
    model: "silent-one",
    models: { "silent/two": { context_tokens: 32_000 }, "other/three": {} },
  })

  expect(await listModels("silent", context)).toMatchObject({
    models: [
      { ...nothingKnown, id: "silent/silent-one", provider: "silent", default: true },
      {
        ...nothingKnown,
        id: "silent/two",
        provider: "silent",
        context_tokens: 32_000,
        configured: ["context_tokens"],
      },
    ],
  })
})

test("a provider that is not installed is told with those that are", async () => {
  const asked = listModels("moon", contextOf({})).catch((error: unknown) => toFailure(error))
  expect(await asked).toMatchObject({
    code: "provider_unknown",
    message: "No provider moon is installed.",
    details: { known: "failing, garbled, greedy, listing, mute, silent" },
  })
})

test("a model takes images by the user's word alone: then what every vendor takes", async () => {
  const context = contextOf({ models: { "silent/one": { images: true } } })
  const { images } = await resolveModel("silent/one", context)
  expect(images).toEqual({
    mediaTypes: ["image/png", "image/jpeg", "image/webp", "image/gif"],
    longestSidePixels: 1_568,
    limitBytes: 3_932_160,
  })
})

test("a request is capped by the user's word alone, and never by what a reply can hold", async () => {
  const { outputTokens, maxOutputTokens } = await resolveModel("listing/large", contextOf({}))
  expect({ outputTokens, maxOutputTokens }).toEqual({
    outputTokens: 64_000,
    maxOutputTokens: undefined,
  })
})
