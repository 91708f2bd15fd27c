import { expect, test } from "vitest"
import { ask, go } from "../../../tests/support/wire/conversation.ts"
import { openProvider } from "./open-provider.ts"

test("the requests of a conversation name one key, which does not tell its id, and others another", async () => {
  const { asked, server } = await openProvider(() => ({ text: "Done." }))

  for (const conversation of ["c0ffee", "c0ffee", "7ea"]) await ask(asked, [go], { conversation })
  await ask(asked, [go])

  const bodies = server.requests.map(({ text }) => JSON.parse(text))
  const [key, again, other, none] = bodies.map(body => body.prompt_cache_key)
  expect(key).toMatch(/^[0-9a-f]{32}$/)
  expect(key).not.toContain("c0ffee")
  expect(again).toBe(key)
  expect(other).not.toBe(key)
  expect(none).toBeUndefined()
})
