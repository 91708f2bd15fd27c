import { createHash } from "node:crypto"
import { statSync, writeFileSync } from "node:fs"
import { appendFile, readFile, rm, stat, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { type Message, toFailure } from "@harness/protocol"
import { describeConversationLog } from "@harness/sdk/testing"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { lockConversation } from "../../src/conversation/lock.ts"
import { messagesOf } from "../../src/conversation/messages.ts"
import { temporaryFolder, thrownBy } from "../support/temporary.ts"
import { at, emptyTable, openLog } from "./support/open-log.ts"
import { turn } from "./support/turn.ts"

describeConversationLog({
  name: "files",
  async create() {
    const folder = await temporaryFolder()
    const opened = (options = {}) => {
      const { log, release } = openLog(folder, options)
      return { ...log, close: release }
    }
    return {
      open: async () => opened(),
      takeOver: async () => opened({ processes: emptyTable() }),
      dispose: async () => {},
    }
  },
})

/** A conversation's folder with the log of one turn, closed again. */
async function recorded() {
  const folder = join(await temporaryFolder(), "c0ffee000001")
  const { log, file, release } = openLog(folder)
  const events = log.append(turn, { sync: true })
  await release()
  return { folder, file, events, bytes: await readFile(file) }
}

test("a line is the event with its hash, which follows from the hash before and the line's bytes", async () => {
  const { bytes, events } = await recorded()
  let head = sha256("c0ffee000001")
  const lines = bytes.toString().trimEnd().split("\n")
  expect(lines).toHaveLength(events.length)
  for (const line of lines) {
    const [content, hash] = [`${line.slice(0, -75)}}`, line.slice(-66, -2)]
    expect(line).toBe(`${content.slice(0, -1)},"hash":"${sha256(head + content)}"}`)
    head = hash
  }
})

test("paths are stored as placeholders and come back as the paths of wherever the log is read", async () => {
  const { folder, bytes } = await recorded()
  expect(bytes.toString()).not.toContain("/srv/shop")
  const places = { root: "/srv/clone", home: "/home/jo", temp: "/tmp/h1" }
  const { log, release } = openLog(folder, { places })
  const [, message] = await log.read()
  expect(message).toMatchObject({
    message: { content: [{ text: "Copy a and b from /srv/clone to c." }] },
  })
  await release()
})

test("folder and file are for their owner alone", async () => {
  const { folder, file } = await recorded()
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test("cut at every byte it opens to the whole records before, says what was cut, and resumes to valid messages", async () => {
  const { folder, file, events, bytes } = await recorded()
  const lock = lockConversation({ folder, conversation: "c0ffee000001" })
  const wrong: unknown[] = []
  for (let length = 0; length <= bytes.length; length += 1) {
    writeFileSync(file, bytes.subarray(0, length))
    const { log, notices, release } = openLog(folder, { lock })
    const read = await log.read()
    await release()

    const whole = bytes.subarray(0, length).lastIndexOf("\n") + 1
    const records = bytes.subarray(0, whole).toString().split("\n").length - 1
    const found = {
      read,
      notices,
      size: statSync(file).size,
      problems: problemsOf(messagesOf(read)),
    }
    const expected = {
      read: events.slice(0, records),
      notices: [
        ...(whole === length ? [] : [cutNotice(length - whole, records)]),
        ...(records === events.length ? [] : [missingNotice(records, events.length)]),
      ],
      size: whole,
      problems: [],
    }
    if (!isDeepStrictEqual(found, expected)) wrong.push({ length, found, expected })
  }
  expect(wrong).toEqual([])
}, 60_000)

test("goes on behind a record that was cut off, and the chain holds", async () => {
  const { folder, file, events, bytes } = await recorded()
  await truncate(file, bytes.length - 10)
  const { log, notices, release } = openLog(folder)
  log.append(notices, { sync: false })
  expect(await log.read()).toEqual([
    ...events.slice(0, -1),
    { seq: 17, at, ...cutNotice(272, 16) },
    { seq: 18, at, ...missingNotice(16, 17) },
  ])
  await release()
})

test("any changed byte of a whole record is found, and nothing is written", async () => {
  const { folder, file, bytes } = await recorded()
  const change = fc.record({ index: fc.nat(bytes.length - 2), to: fc.nat(255) })
  await fc.assert(
    fc.asyncProperty(change, async ({ index, to }) => {
      const changed = Buffer.from(bytes)
      if (changed[index] === to) return
      changed[index] = to
      await writeFile(file, changed)
      const failure = toFailure(await thrownBy(() => openLog(folder)))
      expect(failure).toMatchObject({ code: "log_damaged", details: { file } })
      expect(await readFile(file)).toEqual(changed)
    }),
  )
}, 60_000)

test.each<[string, (lines: string[]) => string[], number]>([
  ["dropped", ([first = "", , ...rest]) => [first, ...rest], 2],
  ["repeated", ([first = "", ...rest]) => [first, first, ...rest], 2],
  ["swapped", ([first = "", second = "", ...rest]) => [second, first, ...rest], 1],
  ["added without a hash", lines => [...lines, '{"seq":18}'], 18],
  ["emptied", ([first = "", ...rest]) => [first, "", ...rest], 2],
])("a record that was %s is named", async (_what, change, record) => {
  const { folder, file, bytes } = await recorded()
  const lines = change(bytes.toString().trimEnd().split("\n"))
  await writeFile(file, `${lines.join("\n")}\n`)
  const failure = toFailure(await thrownBy(() => openLog(folder)))
  expect(failure).toMatchObject({ code: "log_damaged", details: { file, record } })
})

test("the log of another conversation is not taken for this one's", async () => {
  const { folder } = await recorded()
  const failure = toFailure(await thrownBy(() => openLog(folder, { conversation: "other" })))
  expect(failure).toMatchObject({ code: "log_damaged", details: { record: 1 } })
})

test("the head is stored when a log is begun, when a turn ends and when it is closed, not between", async () => {
  const folder = join(await temporaryFolder(), "c0ffee000001")
  const { log, release } = openLog(folder)
  const stored = () => readFile(join(folder, "head.json"), "utf8")
  const begun = `${JSON.stringify(log.head())}\n`
  expect(await stored()).toBe(begun)
  log.append(turn.slice(0, -1), { sync: false })
  expect(await stored()).toBe(begun)
  log.append(turn.slice(-1), { sync: true })
  expect(await stored()).toBe(`${JSON.stringify(log.head())}\n`)

  log.append([{ type: "conversation_closed" }], { sync: false })
  expect(await stored()).not.toBe(`${JSON.stringify(log.head())}\n`)
  await release()
  expect(await stored()).toBe(`${JSON.stringify(log.head())}\n`)
})

test("a log that was not closed is told, with what is proved", async () => {
  const { folder } = await recorded()
  const { log } = openLog(folder)
  log.append([{ type: "conversation_closed" }], { sync: false })
  const lock = lockConversation({ folder, conversation: "c0ffee000001" }, emptyTable())
  const { notices } = openLog(folder, { lock })
  expect(notices).toEqual([
    {
      type: "notice",
      code: "log_unclosed",
      message:
        "The log was not closed: the stored head names record 17, and whether more than 18 were written is not known.",
    },
  ])
})

test("a log whose chain holds and that is not the one of the stored head is refused", async () => {
  const { folder, file } = await recorded()
  const other = openLog(join(await temporaryFolder(), "c0ffee000001"))
  other.log.append([...turn].reverse(), { sync: false })
  await other.release()
  await writeFile(file, await readFile(other.file))
  const failure = toFailure(await thrownBy(() => openLog(folder)))
  expect(failure).toMatchObject({ code: "log_damaged", details: { file, record: 17 } })
})

test("a stored head that harness did not write is told, and the log opens", async () => {
  const { folder, events } = await recorded()
  await writeFile(join(folder, "head.json"), "{}\n")
  const { log, notices, release } = openLog(folder)
  expect(notices).toMatchObject([{ code: "head_invalid" }])
  expect(await log.read()).toEqual(events)
  await release()
})

test("a stored head that is gone is told, and the log opens", async () => {
  const { folder, events } = await recorded()
  await rm(join(folder, "head.json"))
  const { log, notices, release } = openLog(folder)
  expect(notices).toMatchObject([{ code: "head_missing" }])
  expect(await log.read()).toEqual(events)
  await release()
})

test("a record of another version is named with what does not fit, though its hash holds", async () => {
  const folder = await temporaryFolder()
  const content = `{"seq":1,"at":"${at}","type":"teleported"}`
  const hash = sha256(sha256("c0ffee000001") + content)
  await writeFile(join(folder, "log.jsonl"), `${content.slice(0, -1)},"hash":"${hash}"}\n`)
  const { log, release } = openLog(folder)
  const failure = toFailure(await thrownBy(() => log.read()))
  expect(failure).toMatchObject({ code: "log_damaged", details: { record: 1 } })
  expect(failure.message).toContain("it is not an event of this version")
  await release()
})

test("an append notices that something else wrote to the file", async () => {
  const { folder, file } = await recorded()
  const { log, release } = openLog(folder)
  await appendFile(file, "x")
  const failure = toFailure(await thrownBy(() => log.append(turn, { sync: false })))
  expect(failure).toMatchObject({ code: "log_damaged", details: { file, record: 18 } })
  await release()
})

test("a log that cannot be opened is refused with the reason", async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, "file"), "")
  const failure = toFailure(await thrownBy(() => openLog(join(folder, "file"))))
  expect(failure.message).toContain("file already exists")
})

function cutNotice(bytes: number, records: number) {
  return {
    type: "notice",
    code: "log_torn",
    message: `The last record of the log was not written to its end; its ${bytes} bytes after record ${records} were cut off.`,
  }
}

function missingNotice(records: number, stored: number) {
  const which = records + 1 === stored ? "record" : `records ${records + 1} to`
  return {
    type: "notice",
    code: "log_cut",
    message: `The stored head names ${which} ${stored}, and the log ends with ${records}.`,
  }
}

/** What every provider asks of a list: each call has one result, right after its message. */
function problemsOf(messages: readonly Message[]): string[] {
  return messages.flatMap((message, index) => {
    const before = messages[index - 1]
    const after = messages[index + 1]
    const ids = message.content.flatMap(part => (part.type === "call" ? [part.id] : []))
    const answered = after?.role === "tool" ? after.content.map(result => result.call_id) : []
    return [
      ...(message.content.length === 0 ? [`${index} is empty`] : []),
      ...(index === 0 && message.role !== "user" ? ["the first is not the user's"] : []),
      ...(message.role !== "tool" && ids.join() !== answered.join()
        ? [`${index} has no results`]
        : []),
      ...(message.role === "tool" && before?.role !== "assistant" ? [`${index} has no calls`] : []),
    ]
  })
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}
