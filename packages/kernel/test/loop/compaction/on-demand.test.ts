import { expect, test } from "vitest"
import { messagesOf } from "../../../src/conversation/messages.ts"
import { ofType } from "../../support/kernel.ts"
import { answers, converse, says } from "./support/conversation.ts"

const long = "All work and no play makes a long conversation. ".repeat(80)

test("a summary that the user asks for takes the place of what went before, in the log too", async () => {
  const conversation = await converse({
    windowTokens: 100_000,
    step: n => (n < 6 ? says(n, long) : answers("Done.")),
  })
  await conversation.send("First")
  const before = conversation.messages.length

  expect(await conversation.compact()).toEqual({ status: "compacted" })
  expect(conversation.messages.length).toBeLessThan(before)
  expect(JSON.stringify(conversation.messages[0])).toContain("Much was done.")
  expect(messagesOf(await conversation.log())).toEqual(conversation.messages)
  expect(await conversation.send("Second")).toMatchObject({ answer: "Done." })
  await conversation.release()
})

test("a summary that fails twice is told with its reason, and changes nothing", async () => {
  const conversation = await converse({
    windowTokens: 100_000,
    step: n => (n < 6 ? says(n, long) : answers("Done.")),
    summary: () => ({ fails: "it is away" }),
  })
  await conversation.send("First")
  const before = [...conversation.messages]

  expect(await conversation.compact()).toEqual({
    status: "failed",
    reason: expect.stringContaining("it is away"),
  })
  expect(conversation.messages).toEqual(before)
  expect(ofType(conversation.events, "compaction_ended")).toHaveLength(2)
  await conversation.release()
})

test("where there is nothing to be left out nobody is asked, and nothing is on record", async () => {
  const conversation = await converse({ windowTokens: 100_000, step: () => answers("Short.") })
  await conversation.send("First")

  expect(await conversation.compact()).toEqual({ status: "nothing_to_do" })
  expect(ofType(conversation.events, "compaction_started")).toEqual([])
  await conversation.release()
})
