import { toFailure } from "@harness/protocol"
import { expect, test } from "vitest"
import { settingsOf } from "../src/settings.ts"

function failureOf(options: Parameters<typeof settingsOf>[0]) {
  try {
    return settingsOf(options)
  } catch (error) {
    return toFailure(error)
  }
}

test.each([
  [{ GOOGLE_GENERATIVE_AI_API_KEY: "g-1" }, "g-1", "GOOGLE_GENERATIVE_AI_API_KEY"],
  [{ GEMINI_API_KEY: "g-2" }, "g-2", "GEMINI_API_KEY"],
  [{ GOOGLE_GENERATIVE_AI_API_KEY: "", GEMINI_API_KEY: "g-2" }, "g-2", "GEMINI_API_KEY"],
  [
    { GOOGLE_GENERATIVE_AI_API_KEY: "g-1", GEMINI_API_KEY: "g-2" },
    "g-1",
    "GOOGLE_GENERATIVE_AI_API_KEY",
  ],
])("of the variables %j the key is %s, from %s", (env, key, variable) => {
  expect(settingsOf({ env, config: {} })).toEqual({
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    loopback: false,
    key,
    headers: {},
    retrySeconds: 120,
    refusedHint: `Check ${variable}: the server does not accept it for this model.`,
    secrets: [key],
    config: {},
  })
})

test("without a key both variables are named", () => {
  expect(failureOf({ env: {}, config: {} })).toMatchObject({
    code: "key_missing",
    next: "Set GOOGLE_GENERATIVE_AI_API_KEY or GEMINI_API_KEY for generativelanguage.googleapis.com, or store a key: harness login google.",
  })
})

test("a base URL of a host alone gets the version", () => {
  const env = { GOOGLE_GENERATIVE_AI_BASE_URL: "http://127.0.0.1:9" }

  expect(settingsOf({ env, config: {} }).baseUrl).toBe("http://127.0.0.1:9/v1beta")
})

test.each([
  [{ effort: "most" }, "effort", "Invalid option"],
  [{ thoughts: true }, "thoughts", "Unrecognized key"],
])("the configuration %j is refused with its key", (config, key, reason) => {
  expect(failureOf({ env: { GEMINI_API_KEY: "g" }, config })).toMatchObject({
    code: "config_invalid",
    details: { key: `providers.google.${key}`, reason: expect.stringContaining(reason) },
  })
})
