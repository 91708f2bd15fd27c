import { isFailure, toFailure } from "@harness/protocol"
import fc from "fast-check"
import { expect, test } from "vitest"
import { settingsOf } from "../src/settings.ts"

const name = "openai-compatible"

function failureOf(
  env: Record<string, string>,
  config: Parameters<typeof settingsOf>[0]["config"] = {},
) {
  try {
    settingsOf({ env, config })
    return null
  } catch (error) {
    return toFailure(error)
  }
}

test("without anything the key of OpenAI is missing, and the way to an own server is shown", () => {
  expect(failureOf({})).toEqual({
    code: "key_missing",
    message: "The provider openai-compatible needs a key and OPENAI_API_KEY is not set.",
    next: "Set OPENAI_API_KEY for api.openai.com, or store a key: harness login openai-compatible. For a server of your own set OPENAI_BASE_URL, for example http://127.0.0.1:11434/v1 for Ollama.",
    exit: 2,
    details: {
      provider: name,
      variable: "OPENAI_API_KEY",
      hint: "Set OPENAI_API_KEY for api.openai.com, or store a key: harness login openai-compatible. For a server of your own set OPENAI_BASE_URL, for example http://127.0.0.1:11434/v1 for Ollama.",
    },
  })
})

test("with a key alone OpenAI is asked", () => {
  expect(settingsOf({ env: { OPENAI_API_KEY: "sk-1" }, config: {} })).toEqual({
    baseUrl: "https://api.openai.com/v1",
    loopback: false,
    key: "sk-1",
    headers: {},
    retrySeconds: 120,
    refusedHint: "Check OPENAI_API_KEY: the server does not accept it for this model.",
    secrets: ["sk-1"],
    sendsCacheKey: true,
  })
})

test.each([
  "http://localhost:11434/v1",
  "http://127.0.0.1:8000/v1",
  "http://127.9.9.9/v1",
  "http://[::1]:8000/v1",
])("a server on this machine (%s) needs no key", url => {
  expect(settingsOf({ env: { OPENAI_BASE_URL: url }, config: {} })).toEqual({
    baseUrl: url,
    loopback: true,
    key: undefined,
    headers: {},
    retrySeconds: 120,
    refusedHint:
      "The server wants a key: set OPENAI_API_KEY, or store one: harness login openai-compatible.",
    secrets: [],
    sendsCacheKey: false,
  })
})

test.each([
  "http://10.0.0.7:8000/v1",
  "https://localhost.example.com/v1",
  "https://127.0.0.1.example.com/v1",
])("a server elsewhere (%s) needs a key", url => {
  expect(failureOf({ OPENAI_BASE_URL: url })?.code).toBe("key_missing")
})

test("a key in the configured headers is a key", () => {
  const config = { base_url: "https://models.example.com/v1", headers: { "api-key": "k-1" } }

  expect(settingsOf({ env: {}, config })).toEqual({
    baseUrl: "https://models.example.com/v1",
    loopback: false,
    key: undefined,
    headers: { "api-key": "k-1" },
    retrySeconds: 120,
    refusedHint:
      "Check headers of providers.openai-compatible in config.jsonc: the server does not accept the key in it for this model.",
    secrets: ["k-1"],
    sendsCacheKey: false,
  })
})

test("the environment goes before the configuration, and an empty variable is none", () => {
  const config = { base_url: "http://127.0.0.1:1/v1" }

  const chosen = ["http://127.0.0.1:2/v1", ""].map(
    OPENAI_BASE_URL => settingsOf({ env: { OPENAI_BASE_URL, OPENAI_API_KEY: "" }, config }).baseUrl,
  )

  expect(chosen).toEqual(["http://127.0.0.1:2/v1", "http://127.0.0.1:1/v1"])
})

test.each([
  ["localhost:11434", "is not an http or https URL", "localhost:11434"],
  ["not a url", "is not an http or https URL", "not a url"],
  [
    "http://me:pass@127.0.0.1/v1",
    "holds a user name or password; use OPENAI_API_KEY or headers",
    "http://…@127.0.0.1/v1",
  ],
])("OPENAI_BASE_URL=%s is refused by name, without a password", (value, reason, shown) => {
  expect(failureOf({ OPENAI_BASE_URL: value })).toMatchObject({
    code: "option_invalid",
    message: `OPENAI_BASE_URL ${shown}: ${reason}.`,
  })
})

test.each([
  [{ base_url: "nowhere" }, "providers.openai-compatible.base_url", "nowhere is not an http"],
  [{ base_url: 5 }, "providers.openai-compatible.base_url", "expected string"],
  [{ headers: { a: 1 } }, "providers.openai-compatible.headers.a", "expected string"],
  [{ url: "x" }, "providers.openai-compatible.url", "Unrecognized key"],
])("the configuration %j is refused with its key", (config, key, reason) => {
  expect(failureOf({}, config)).toMatchObject({
    code: "config_invalid",
    details: { file: "config.jsonc", key, reason: expect.stringContaining(reason) },
  })
})

test("whatever OPENAI_BASE_URL holds, the answer is settings or a failure of harness", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webUrl()), OPENAI_BASE_URL => {
      try {
        return URL.canParse(
          settingsOf({ env: { OPENAI_BASE_URL, OPENAI_API_KEY: "k" }, config: {} }).baseUrl,
        )
      } catch (error) {
        return isFailure(error, "option_invalid")
      }
    }),
  )
})
