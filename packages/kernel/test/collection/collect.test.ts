import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { auditConversation } from "../../src/audit/audit.ts"
import { inventoryOf } from "../../src/audit/inventory.ts"
import { collectGarbage } from "../../src/collection/collect.ts"
import { lockConversation } from "../../src/conversation/lock.ts"
import { readEvents } from "../../src/conversation/log-on-disk.ts"
import { keepPlaces } from "../../src/conversation/places-file.ts"
import { keptConversation, places } from "../audit/support/kept.ts"
import { at } from "../conversation/support/open-log.ts"
import { thrownBy } from "../support/temporary.ts"

const day = 86_400
const tenDaysLater = Date.parse(at) + 10 * day * 1_000

async function kept() {
  const { home, conversation } = await keptConversation()
  const path = (place: string) => join(conversation.folder, place)
  return {
    home,
    conversation,
    path,
    audit: () => auditConversation(conversation),
    gc: (options: { olderThanSeconds?: number; dryRun?: boolean; remove?: () => void } = {}) =>
      collectGarbage({
        home,
        olderThanSeconds: null,
        dryRun: false,
        clock: () => tenDaysLater,
        ...options,
      }),
    leave(place: string, text: string) {
      mkdirSync(dirname(path(place)), { recursive: true })
      writeFileSync(path(place), text)
    },
  }
}

const nothing = { type: "gc", conversations: [], files: 0, bytes: 0 }

test("of a conversation that holds nothing is removed", async () => {
  const { conversation, gc, audit } = await kept()
  const before = inventoryOf(conversation.folder)
  expect(await gc()).toEqual(nothing)
  expect(inventoryOf(conversation.folder)).toEqual(before)
  expect((await audit()).log.records).toBe(13)
})

test("what no record names is removed, with the folders that are empty then, and the audit holds", async () => {
  const { conversation, gc, audit, leave, path } = await kept()
  leave("artifacts/evidence/ff/payload", "12345")
  leave("artifacts/evidence/ff/.unfinished", "12345")
  leave("artifacts/processes/.fifos-1/0", "")
  leave("artifacts/scratch/1/output", "123")
  leave("head.json.new", "12")
  const freed = {
    type: "gc",
    conversations: [{ conversation: conversation.id, status: "swept", files: 5, bytes: 15 }],
    files: 5,
    bytes: 15,
  }
  expect((await audit()).holds).toBe(false)
  expect(await gc({ dryRun: true })).toEqual(freed)
  expect(existsSync(path("artifacts/scratch/1/output"))).toBe(true)

  expect(await gc()).toEqual(freed)
  expect(existsSync(path("artifacts/scratch"))).toBe(false)
  expect(existsSync(path("artifacts/processes/.fifos-1"))).toBe(false)
  expect(await audit()).toMatchObject({ holds: true, log: { records: 13 }, findings: [] })
})

test("of an old conversation all artifacts go under a tombstone, and its log stays", async () => {
  const { conversation, gc, audit, path } = await kept()
  expect(await gc({ olderThanSeconds: 11 * day })).toEqual(nothing)

  const { files, bytes } = await gc({ olderThanSeconds: 9 * day })
  expect(files).toBe(8)
  expect(readEvents(conversation).at(-1)).toMatchObject({
    type: "artifacts_collected",
    files,
    bytes,
  })
  expect(inventoryOf(path("artifacts"))).toEqual([])
  expect(await audit()).toMatchObject({
    holds: true,
    log: { state: "closed", records: 14 },
    intact: { payloads: 0, processes: 0, programs: 0 },
    findings: [{ status: "collected", place: "artifacts" }],
  })
  expect(await gc({ olderThanSeconds: 0 })).toEqual(nothing)
})

test("a collection that was cut off after its tombstone is told by the audit, and the next one completes it", async () => {
  const { gc, audit } = await kept()
  const crash = () => {
    throw new Error("the process ends here")
  }
  await thrownBy(() => gc({ olderThanSeconds: 0, remove: crash }))
  expect(await audit()).toMatchObject({ holds: false, log: { records: 14 } })
  expect((await gc()).files).toBe(8)
  expect(await audit()).toMatchObject({ holds: true, log: { records: 14 } })
})

test("a conversation that a live process has open is not touched, however old", async () => {
  const { conversation, gc, leave, path } = await kept()
  leave("artifacts/scratch/1/output", "123")
  const lock = lockConversation({ folder: conversation.folder, conversation: conversation.id })
  expect(await gc({ olderThanSeconds: 0 })).toMatchObject({
    conversations: [
      { status: "skipped", reason: `It is open in another process (${process.pid}).` },
    ],
    bytes: 0,
  })
  expect(existsSync(path("artifacts/scratch/1/output"))).toBe(true)
  lock.release()
})

test("where the log does not hold nothing is removed, and the other conversations are looked at", async () => {
  const { home, conversation, gc, leave, path } = await kept()
  leave("artifacts/scratch/1/output", "123")
  const log = path("log.jsonl")
  writeFileSync(log, readFileSync(log, "utf8").replace('"seq":2', '"seq":3'))
  const other = await keptConversation("dead00000002")
  const moved = join(home, "projects", "other")
  mkdirSync(moved)
  renameSync(other.conversation.folder, join(moved, "dead00000002"))
  writeFileSync(join(moved, "dead00000002", "artifacts", "left"), "1")

  const { conversations } = await gc({ olderThanSeconds: 0 })
  expect(conversations).toMatchObject([
    {
      conversation: conversation.id,
      status: "skipped",
      reason: expect.stringContaining("record 2"),
    },
    { conversation: "dead00000002", status: "collected", files: 9 },
  ])
  expect(existsSync(path("artifacts/scratch/1/output"))).toBe(true)
})

test("the temporary folder of a process that was killed goes too, and no other folder by that name", async () => {
  const { conversation, gc, path } = await kept()
  const temp = mkdtempSync(join(tmpdir(), "harness-"))
  onTestFinished(() => rmSync(temp, { recursive: true, force: true }))
  writeFileSync(join(temp, "left"), "1234")
  const elsewhere = path("artifacts/harness-abcdef")
  keepPlaces(conversation.places, { ...places, temp: elsewhere })
  expect(await gc()).toEqual(nothing)

  keepPlaces(conversation.places, { ...places, temp })
  expect(await gc()).toMatchObject({ files: 1, bytes: 4 })
  expect(existsSync(temp)).toBe(false)
})
