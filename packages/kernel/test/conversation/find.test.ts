import { mkdirSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { toFailure } from "@harness/protocol"
import { expect, test } from "vitest"
import { allConversations, findConversation } from "../../src/conversation/find.ts"
import { conversationPlaces } from "../../src/conversation/layout.ts"
import { temporaryFolder, thrownBy } from "../support/temporary.ts"

/** A home with conversations that were begun at these seconds. */
async function homeWith(...list: [key: string, id: string, second: number][]): Promise<string> {
  const home = await temporaryFolder()
  for (const [key, conversation, second] of list) {
    const { log } = conversationPlaces(home, { key, conversation })
    mkdirSync(dirname(log), { recursive: true })
    writeFileSync(log, `{"seq":1,"at":"2026-01-02T03:04:${10 + second}.000Z","type":"x"}\n`)
  }
  return home
}

test("an id, or a beginning of it that no other has, finds a conversation of any project", async () => {
  const home = await homeWith(["k1", "aabb00000001", 1], ["k2", "aacc00000001", 2])
  const expected = {
    id: "aacc00000001",
    key: "k2",
    ...conversationPlaces(home, { key: "k2", conversation: "aacc00000001" }),
  }
  expect(findConversation(home, "aacc00000001")).toEqual(expected)
  expect(findConversation(home, "aac")).toEqual(expected)
})

test("an id is meant before the longer ones that begin with it", async () => {
  const home = await homeWith(["k", "aa", 1], ["k", "aab", 2])
  expect(findConversation(home, "aa").id).toBe("aa")
})

test("a beginning that several have is refused with their names", async () => {
  const ids = ["a1", "a2", "a3", "a4", "a5", "a6"]
  const home = await homeWith(...ids.map((id, at): [string, string, number] => ["k", id, at]))
  const error = toFailure(await thrownBy(() => findConversation(home, "a")))
  expect(error.message).toBe("a is the beginning of 6 conversations: a1, a2, a3, a4, a5, ….")
})

test("last is the one that was begun last, whichever was written to since", async () => {
  const home = await homeWith(["k1", "one", 1], ["k2", "two", 3], ["k3", "three", 2])
  expect(findConversation(home, "last").id).toBe("two")
})

test.each(["zz", "", "last", "../projects", "k1/one"])("%j is unknown", async name => {
  const home = name === "last" ? await homeWith() : await homeWith(["k1", "one", 1])
  expect(toFailure(await thrownBy(() => findConversation(home, name)))).toMatchObject({
    code: "conversation_unknown",
    exit: 2,
  })
})

test("a folder without a log is no conversation, and a home without projects has none", async () => {
  const home = await homeWith(["k1", "one", 1])
  mkdirSync(conversationPlaces(home, { key: "k1", conversation: "empty" }).folder)
  expect(allConversations(home).map(({ id }) => id)).toEqual(["one"])
  expect(allConversations(await temporaryFolder())).toEqual([])
})
