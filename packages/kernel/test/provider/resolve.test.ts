import { Config, toFailure } from "@harness/protocol"
import { expect, test } from "vitest"
import { resolveModel } from "../../src/provider/resolve.ts"
import { createRegistry } from "../../src/registry/registry.ts"

const registry = createRegistry({
  home: "/nowhere",
  builtins: [
    {
      name: "picky-package",
      version: "1.0.0",
      manifest: {
        api: 1,
        contributes: {
          kinds: [],
          providers: [{ name: "picky", module: "." }],
          programs: [],
          policies: [],
        },
        capabilities: [],
      },
      modules: { ".": new URL("../support/picky-provider.ts", import.meta.url).href },
    },
  ],
  hosted: {
    "@harness/sdk": new URL("../../../sdk/src/index.ts", import.meta.url).href,
    "@harness/protocol": new URL("../../../protocol/src/index.ts", import.meta.url).href,
  },
  env: {},
})

async function refusal(model: string, lines: Record<string, number>) {
  const lineOf = (path: readonly string[]) => lines[path.join(" ")]
  const failed = resolveModel(model, { registry, config: Config.parse({}), env: {}, lineOf })
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
    "The model one cannot be used: it names no provider and model.",
  )
  expect(await refusal("moon/one", {})).toBe(
    "The model moon/one cannot be used: no provider moon is installed.",
  )
})
