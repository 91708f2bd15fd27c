import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { collectGarbage } from "../../src/collection/collect.ts"
import { allConversations } from "../../src/conversation/find.ts"
import { lockConversation } from "../../src/conversation/lock.ts"
import { deleteConversation } from "../../src/kept/delete.ts"
import { listConversations } from "../../src/kept/list.ts"
import { keptConversation } from "../audit/support/kept.ts"
import { thrownBy } from "../support/temporary.ts"

const nothing = { type: "conversations", conversations: [], damaged: [] }

test("nothing of a deleted conversation is left, in its folder or in the index", async () => {
  const { home, conversation } = await keptConversation()
  expect((await listConversations(undefined, home)).conversations).toHaveLength(1)
  await deleteConversation(conversation, home)
  expect(readdirSync(dirname(conversation.folder))).toEqual([])
  expect(await listConversations(undefined, home)).toEqual(nothing)
})

test("one that is open is not deleted, whoever has it", async () => {
  const { home, conversation } = await keptConversation()
  const { id, folder } = conversation
  const lock = lockConversation({ folder, conversation: id })
  expect(await thrownBy(() => deleteConversation(conversation, home))).toMatchObject({
    code: "conversation_locked",
    details: { conversation: id, pid: process.pid },
  })
  expect(lock.held()).toBe(true)
  expect(existsSync(conversation.log)).toBe(true)
})

test("what a crash left of a deletion or a fork is no conversation, and gc removes it", async () => {
  const { home, conversation } = await keptConversation()
  const beside = (name: string) => join(dirname(conversation.folder), name)
  renameSync(conversation.folder, beside(".deleted-c0ffee000001"))
  const left = { [gone]: ".forking-4194999-f0f0f0f0f0f0", [alive]: `.forking-${process.pid}-aaaa` }
  for (const name of Object.values(left)) {
    mkdirSync(beside(name))
    writeFileSync(join(beside(name), "log.jsonl"), "12345")
  }
  expect(allConversations(home)).toEqual([])
  expect(await listConversations(undefined, home)).toEqual(nothing)

  const gc = (dryRun: boolean) =>
    collectGarbage({ home, olderThanSeconds: null, dryRun, clock: Date.now })
  const planned = await gc(true)
  expect(planned.conversations).toMatchObject([
    { conversation: "c0ffee000001", status: "swept" },
    { conversation: "f0f0f0f0f0f0", status: "swept", files: 1, bytes: 5 },
  ])
  expect(await gc(false)).toEqual(planned)
  expect(readdirSync(dirname(conversation.folder))).toEqual([left[alive]])
})

const gone = "gone"
const alive = "alive"
