import { toFailure } from "@harness/protocol"
import { expect, test } from "vitest"
import { settingsOf } from "../src/settings.ts"

const env = { OPENAI_API_KEY: "sk-1" }

function failureOf(options: Parameters<typeof settingsOf>[0]) {
  try {
    return settingsOf(options)
  } catch (error) {
    return toFailure(error)
  }
}

test("with a key alone OpenAI is asked", () => {
  expect(settingsOf({ env, config: { effort: "high" } })).toEqual({
    baseUrl: "https://api.openai.com/v1",
    loopback: false,
    key: "sk-1",
    headers: {},
    retrySeconds: 120,
    refusedHint: "Check OPENAI_API_KEY: the server does not accept it for this model.",
    secrets: ["sk-1"],
    config: { effort: "high" },
  })
})

test("without a key the variable is named, and the provider for servers of another kind", () => {
  expect(failureOf({ env: {}, config: {} })).toMatchObject({
    code: "key_missing",
    next: "Set OPENAI_API_KEY for api.openai.com, or store a key: harness login openai. For a server without the Responses API use the provider openai-compatible.",
  })
})

test.each([
  [{ effort: "highest" }, "effort", "Invalid option"],
  [{ reasoning: "yes" }, "reasoning", "expected boolean"],
  [{ store: true }, "store", "Unrecognized key"],
])("the configuration %j is refused with its key", (config, key, reason) => {
  expect(failureOf({ env, config })).toMatchObject({
    code: "config_invalid",
    details: { key: `providers.openai.${key}`, reason: expect.stringContaining(reason) },
  })
})
