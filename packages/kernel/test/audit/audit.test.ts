import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { auditConversation } from "../../src/audit/audit.ts"
import { inventoryOf } from "../../src/audit/inventory.ts"
import { lockConversation } from "../../src/conversation/lock.ts"
import { keptConversation } from "./support/kept.ts"

/** Files whose every byte counts. */
async function kept() {
  const { conversation, ...others } = await keptConversation()
  const files = inventoryOf(conversation.folder)
    .filter(({ place, bytes }) => bytes > 0 && place !== "places.json")
    .map(({ place }) => place)
  const path = (place: string) => join(conversation.folder, place)
  const audit = () => auditConversation(conversation)
  return { ...others, conversation, files, path, audit }
}

const intact = { payloads: 3, processes: 1, programs: 1 }

test("a conversation that nobody touched holds, to its last record", async () => {
  const { audit } = await kept()
  expect(await audit()).toEqual({
    conversation: "c0ffee000001",
    holds: true,
    log: { state: "closed", records: 13, stored_seq: 13 },
    intact,
    findings: [],
  })
})

test("every flipped bit of the log, its head, evidence, index, receipts and outputs is found", async () => {
  const { files, path, audit } = await kept()
  expect(files).toHaveLength(10)
  const flip = fc.record({
    place: fc.constantFrom(...files),
    at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    bit: fc.nat(7),
  })
  await fc.assert(
    fc.asyncProperty(flip, async ({ place, at, bit }) => {
      const bytes = readFileSync(path(place))
      const changed = Buffer.from(bytes)
      const index = Math.floor(at * bytes.length)
      changed[index] = (changed[index] ?? 0) ^ (1 << bit)
      writeFileSync(path(place), changed)
      const { holds, findings } = await audit()
      writeFileSync(path(place), bytes)
      // A head that does not fit may as well be a record that does not.
      const named = findings.some(each => each.place === place || place === "head.json")
      expect({ holds, named }).toEqual({ holds: false, named: true })
    }),
    { numRuns: 200 },
  )
  expect((await audit()).holds).toBe(true)
}, 120_000)

test("every byte that is cut off the end of any of these files is found", async () => {
  const { files, path, audit } = await kept()
  const cut = fc.record({
    place: fc.constantFrom(...files),
    to: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  })
  await fc.assert(
    fc.asyncProperty(cut, async ({ place, to }) => {
      const bytes = readFileSync(path(place))
      truncateSync(path(place), Math.floor(to * bytes.length))
      const { holds } = await audit()
      writeFileSync(path(place), bytes)
      expect(holds).toBe(false)
    }),
    { numRuns: 100 },
  )
}, 120_000)

describe.each(["log.jsonl", "artifacts/evidence/index.jsonl"])("in %s", file => {
  test("any line that is dropped, repeated, moved or added is found, the last ones included", async () => {
    const { path, audit } = await kept()
    const text = readFileSync(path(file), "utf8")
    const lines = text.trimEnd().split("\n")
    const changes: string[][] = lines.flatMap((line, at) => [
      lines.toSpliced(at, 1),
      lines.toSpliced(at, 0, line),
      lines.toSpliced(at, 0, lines.at(-1 - at) ?? ""),
      lines.slice(0, at),
      ...(at > 0 ? [lines.toSpliced(at - 1, 2, line, lines[at - 1] ?? "")] : []),
    ])
    const unnoticed: string[][] = []
    for (const changed of changes) {
      const written = changed.map(line => `${line}\n`).join("")
      if (written === text) continue
      writeFileSync(path(file), written)
      if ((await audit()).holds) unnoticed.push(changed)
    }
    expect(unnoticed).toEqual([])
  })

  test("bytes that were added at the end are found", async () => {
    const { path, audit } = await kept()
    for (const added of ["x", "\n", "{}\n", '{"seq":14}']) {
      const before = readFileSync(path(file))
      appendFileSync(path(file), added)
      const { holds, findings } = await audit()
      writeFileSync(path(file), before)
      expect({ holds, places: findings.map(({ place }) => place) }).toEqual({
        holds: false,
        places: [file],
      })
    }
  })
})

test("a log that was cut at a line's end is found by the head that was stored", async () => {
  const { path, audit } = await kept()
  const lines = readFileSync(path("log.jsonl"), "utf8").split("\n")
  writeFileSync(path("log.jsonl"), `${lines.slice(0, 12).join("\n")}\n`)
  expect(await audit()).toMatchObject({
    holds: false,
    log: { state: "unclosed", records: 12, stored_seq: 13 },
    findings: [
      {
        status: "missing",
        place: "log.jsonl",
        detail: "records 13 to 13: head.json names the last of them",
      },
    ],
  })
})

test("a cut that was told when the log went on stays a difference", async () => {
  const { path, audit, record } = await kept()
  const lines = readFileSync(path("log.jsonl"), "utf8").split("\n")
  writeFileSync(path("log.jsonl"), `${lines.slice(0, 12).join("\n")}\n`)
  await record()
  expect(await audit()).toMatchObject({
    holds: false,
    log: { state: "closed", records: 13, stored_seq: 13 },
    findings: [{ status: "missing", place: "log.jsonl" }],
  })
})

test.each([
  "head.json",
  "artifacts/evidence/index.jsonl",
  "artifacts/processes/12345678/receipt.json",
])("%s is missed when it is gone", async place => {
  const { path, audit } = await kept()
  rmSync(path(place))
  const { holds, findings } = await audit()
  expect({ holds, findings: findings.map(each => [each.status, each.place]) }).toEqual({
    holds: false,
    findings: [["missing", place]],
  })
})

test("what no record names is found, wherever it lies", async () => {
  const { path, audit } = await kept()
  const places = [
    "artifacts/evidence/00/0000",
    "artifacts/processes/.fifos-1/0",
    "artifacts/programs/2/output",
    "head.json.new",
  ]
  for (const place of places) {
    mkdirSync(join(path(place), ".."), { recursive: true })
    writeFileSync(path(place), "?")
  }
  const { holds, findings } = await audit()
  expect({ holds, findings }).toEqual({
    holds: false,
    findings: places.map(place => ({
      status: "unnamed",
      place,
      detail: "1 bytes that no record names",
    })),
  })
})

test("of a log that was not closed it says so, and what it holds is proved up to the stored head", async () => {
  const { conversation, audit, path, record } = await kept()
  const head = readFileSync(path("head.json"))
  await record({ type: "notice", code: "test", message: "killed after this" })
  writeFileSync(path("head.json"), head)
  expect(await audit()).toEqual({
    conversation: conversation.id,
    holds: true,
    log: { state: "unclosed", records: 14, stored_seq: 13 },
    intact,
    findings: [],
  })
})

test("of an open conversation only what its records name is judged", async () => {
  const { conversation, audit, path } = await kept()
  const lock = lockConversation({ folder: conversation.folder, conversation: conversation.id })
  appendFileSync(path("log.jsonl"), '{"seq":14,"at":"20')
  writeFileSync(path("artifacts/evidence/coming"), "?")
  expect(await audit()).toMatchObject({ holds: true, log: { state: "open", records: 13 } })
  writeFileSync(path("artifacts/programs/1/output"), "?")
  expect(await audit()).toMatchObject({
    holds: false,
    intact: { ...intact, programs: 0 },
    findings: [{ status: "altered", place: "artifacts/programs/1/output" }],
  })
  lock.release()
})

test("of a log that does not hold, payloads are still compared with their own names", async () => {
  const { path, audit, files } = await kept()
  const payload = files.find(place => place.startsWith("artifacts/evidence/")) ?? ""
  writeFileSync(path(payload), "other")
  const log = readFileSync(path("log.jsonl"), "latin1")
  writeFileSync(path("log.jsonl"), log.replace("{root}", "{home}"), "latin1")
  const { holds, findings } = await audit()
  expect({ holds, places: findings.map(({ place }) => place) }).toEqual({
    holds: false,
    places: ["log.jsonl", payload],
  })
})
