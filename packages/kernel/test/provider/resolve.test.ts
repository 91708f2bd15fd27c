import { Config, Manifest, toFailure } from "@harness/protocol"
import { expect, test } from "vitest"
import { resolveModel } from "../../src/provider/resolve.ts"
import { type BuiltinPackage, createRegistry } from "../../src/registry/registry.ts"

const context = {
  home: "/nowhere",
  env: {},
  log: { record: () => {}, defer: () => {}, flush: () => {}, hide: () => {} },
  keychain: { entry: "/nowhere", nodeFlags: [] },
  config: Config.parse({}),
}

const registry = createRegistry({
  home: "/nowhere",
  builtins: [
    brings("picky", ["claude-", "gpt-"]),
    brings("greedy", ["gpt-6"]),
    brings("modest", undefined),
  ],
  hosted: {
    "@harness/sdk": new URL("../../../sdk/src/index.ts", import.meta.url).href,
    "@harness/protocol": new URL("../../../protocol/src/index.ts", import.meta.url).href,
  },
  env: {},
})

function brings(name: string, models: string[] | undefined): BuiltinPackage {
  return {
    name: `${name}-package`,
    version: "1.0.0",
    manifest: Manifest.parse({
      api: 1,
      contributes: { providers: [{ name, ...(models && { models }) }] },
    }),
    modules: { ".": new URL("../support/picky-provider.ts", import.meta.url).href },
  }
}

async function refusal(model: string, lines: Record<string, number>) {
  const lineOf = (path: readonly string[]) => lines[path.join(" ")]
  const failed = resolveModel(model, { ...context, registry, lineOf })
  return toFailure(await failed.catch((error: unknown) => error)).message
}

test("an option that a provider refuses is named with its line", async () => {
  expect(await refusal("picky/one", { "providers picky url": 7, "providers picky": 5 })).toBe(
    "config.jsonc:7: providers.picky.url: is no URL.",
  )
})

test("an option that is missing is named with the line of the provider's options", async () => {
  expect(await refusal("picky/one", { "providers picky": 5 })).toBe(
    "config.jsonc:5: providers.picky.url: is no URL.",
  )
})

test("a model without a provider, or of one that is not installed, is named with what is", async () => {
  expect(await refusal("one", {})).toBe(
    "The model one cannot be used: no installed provider has models of such a name.",
  )
  expect(await refusal("moon/", {})).toBe(
    "The model moon/ cannot be used: it names no provider and model.",
  )
  expect(await refusal("moon/one", {})).toBe(
    "The model moon/one cannot be used: no provider moon is installed.",
  )
})

test("a model without a provider is of the one that claims its name", async () => {
  expect(await refusal("claude-sonnet-5", { "providers picky url": 7 })).toBe(
    "config.jsonc:7: providers.picky.url: is no URL.",
  )
})

test("a model that two providers claim has to name one", async () => {
  expect(await refusal("gpt-6", {})).toBe(
    "The model gpt-6 cannot be used: it can be of greedy or picky.",
  )
})
