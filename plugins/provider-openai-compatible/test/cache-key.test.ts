import { expect, onTestFinished, test } from "vitest"
import { ask, go } from "../../../tests/support/wire/conversation.ts"
import { openaiChat } from "../../../tests/support/wire/openai-chat.ts"
import { startWireServer } from "../../../tests/support/wire/server.ts"
import { openAICompatible } from "../src/index.ts"
import { settingsOf } from "../src/settings.ts"

test.each([
  ["is not sent to a server that may refuse it", {}, undefined],
  ["is sent where the configuration says so", { prompt_cache_key: true }, /^[0-9a-f]{32}$/],
])("a key for the conversation's kept prompt %s", async (_what, config, expected) => {
  const server = await startWireServer({ dialect: openaiChat, script: [{ text: "Done." }] })
  onTestFinished(() => server.close())
  const env = { OPENAI_BASE_URL: server.baseUrl }
  const provider = await openAICompatible.create({ model: "m", env, config })

  await ask({ provider, model: "m" }, [go], { conversation: "c0ffee" })

  const { prompt_cache_key: key } = JSON.parse(server.requests[0]?.text ?? "{}")
  expect(key).toEqual(expected === undefined ? undefined : expect.stringMatching(expected))
})

test("OpenAI's own server is known to take the key, and can be kept from it", () => {
  const env = { OPENAI_API_KEY: "sk-secret-1" }
  expect(settingsOf({ env, config: {} }).sendsCacheKey).toBe(true)
  expect(settingsOf({ env, config: { prompt_cache_key: false } }).sendsCacheKey).toBe(false)
})
