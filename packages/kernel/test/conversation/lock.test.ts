import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { toFailure } from "@harness/protocol"
import { expect, test } from "vitest"
import { lockConversation } from "../../src/conversation/lock.ts"
import { type ProcessTable, processTable } from "../../src/conversation/process-table.ts"
import { temporaryFolder, thrownBy } from "../support/temporary.ts"

const conversation = "c0ffee000001"

/** A table with these processes: their starts by pid. */
function table(pid: number, starts: Record<number, string>): ProcessTable {
  return { pid, startOf: other => starts[other] ?? null }
}

test("a second opener is told the process that has the conversation", async () => {
  const folder = await temporaryFolder()
  const starts = { 10: "100", 20: "200" }
  lockConversation({ folder, conversation }, table(10, starts))
  const error = await thrownBy(() => lockConversation({ folder, conversation }, table(20, starts)))
  expect(toFailure(error)).toMatchObject({
    code: "conversation_locked",
    details: { conversation, pid: 10 },
  })
})

test("this very process cannot open a conversation twice", async () => {
  const folder = await temporaryFolder()
  const lock = lockConversation({ folder, conversation })
  const error = await thrownBy(() => lockConversation({ folder, conversation }))
  expect(toFailure(error).details).toEqual({ conversation, pid: process.pid })
  lock.release()
  lockConversation({ folder, conversation }).release()
})

test.each([
  ["is gone", {}],
  ["gave its pid to a later process", { 10: "999" }],
])("a holder that %s does not count, and finds that it has lost", async (_what, since) => {
  const folder = await temporaryFolder()
  const first = lockConversation({ folder, conversation }, table(10, { 10: "100" }))
  expect(first.held()).toBe(true)

  const second = lockConversation({ folder, conversation }, table(20, { ...since, 20: "200" }))
  expect([first.held(), second.held()]).toEqual([false, true])
  expect(second.fence).toBe(first.fence + 1)
  expect(toFailure(await thrownBy(first.refuse)).details).toEqual({ conversation, pid: 20 })

  first.release()
  expect(second.held()).toBe(true)
})

test.each([
  ["the holder's", "", "100"],
  ["today's", "100", ""],
])(
  "when %s start is not known, a pid in use is taken for the holder",
  async (_whose, then, now) => {
    const folder = await temporaryFolder()
    lockConversation({ folder, conversation }, table(10, { 10: then }))
    const other = table(20, { 10: now, 20: "200" })
    const error = await thrownBy(() => lockConversation({ folder, conversation }, other))
    expect(toFailure(error).code).toBe("conversation_locked")
  },
)

test("fences grow over releases, and one file is left", async () => {
  const folder = await temporaryFolder()
  const fences = [1, 2, 3].map(() => {
    const lock = lockConversation({ folder, conversation })
    lock.release()
    lock.release()
    return lock.fence
  })
  expect(fences).toEqual([1, 2, 3])
  expect(readdirSync(folder)).toEqual(["lock-3-free"])
})

test("a free file of an older fence, left by two first openers, does not count", async () => {
  const folder = await temporaryFolder()
  const lock = lockConversation({ folder, conversation })
  writeFileSync(join(folder, "lock-0-free"), "")
  const error = await thrownBy(() => lockConversation({ folder, conversation }))
  expect(toFailure(error).code).toBe("conversation_locked")
  lock.release()
  expect(lockConversation({ folder, conversation }).fence).toBe(2)
})

test("the live table knows this process and none that ended", () => {
  const { pid, startOf } = processTable()
  expect(pid).toBe(process.pid)
  expect(startOf(pid)).toMatch(/^\d*$/)
  expect(startOf(2 ** 22 + 1)).toBeNull()
})
