import { toFailure } from "@harness/protocol"
import { expect, test } from "vitest"
import { settingsOf } from "../src/settings.ts"

const env = { ANTHROPIC_API_KEY: "sk-1" }

function failureOf(options: Parameters<typeof settingsOf>[0]) {
  try {
    return settingsOf(options)
  } catch (error) {
    return toFailure(error)
  }
}

test("with a key alone Anthropic is asked", () => {
  expect(settingsOf({ env, config: {} })).toEqual({
    baseUrl: "https://api.anthropic.com/v1",
    loopback: false,
    key: "sk-1",
    headers: {},
    retrySeconds: 120,
    refusedHint: "Check ANTHROPIC_API_KEY: the server does not accept it for this model.",
    secrets: ["sk-1"],
    config: {},
  })
})

test("without a key the variable is named", () => {
  expect(failureOf({ env: {}, config: {} })).toMatchObject({
    code: "key_missing",
    next: "Set ANTHROPIC_API_KEY for api.anthropic.com, or store a key: harness login anthropic.",
  })
})

test.each([
  ["https://gateway.example.com", "https://gateway.example.com/v1"],
  ["https://gateway.example.com/", "https://gateway.example.com/v1"],
  ["https://gateway.example.com/claude/v1", "https://gateway.example.com/claude/v1"],
])("a base URL of a host alone (%s) gets the version", (ANTHROPIC_BASE_URL, baseUrl) => {
  expect(settingsOf({ env: { ...env, ANTHROPIC_BASE_URL }, config: {} }).baseUrl).toBe(baseUrl)
})

test.each([
  [{ effort: "minimal" }, "effort", "Invalid option"],
  [{ effort: 3 }, "effort", "Invalid option"],
  [{ thinking_tokens: 100 }, "thinking_tokens", ">=1024"],
  [{ cache_ttl: "2h" }, "cache_ttl", "Invalid option"],
  [{ retry_seconds: -1 }, "retry_seconds", ">=0"],
  [{ thinking: true }, "thinking", "Unrecognized key"],
])("the configuration %j is refused with its key", (config, key, reason) => {
  expect(failureOf({ env, config })).toMatchObject({
    code: "config_invalid",
    details: {
      file: "config.jsonc",
      key: `providers.anthropic.${key}`,
      reason: expect.stringContaining(reason),
    },
  })
})
