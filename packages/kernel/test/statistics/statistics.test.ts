import { existsSync } from "node:fs"
import { appendFile, chmod, mkdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { StatisticsRow } from "@harness/protocol"
import fc from "fast-check"
import { expect, test } from "vitest"
import { statistics } from "../../src/statistics/statistics.ts"
import { temporaryFolder } from "../support/temporary.ts"
import { anyTalk, conversationModel, type Spent, type Talk, writeTalk } from "./support/spent.ts"

const kinds = ["day", "model", "project"] as const

const answered: Spent = {
  day: "2026-11-30",
  model: conversationModel,
  type: "step",
  end: "answered",
  usage: {
    input_tokens: 100,
    cached_input_tokens: 80,
    output_tokens: 10,
    reasoning_tokens: 4,
  },
  cost: 0.5,
  lostTries: 0,
  modelMs: 1_000,
  overheadMs: 2,
}

const talk = (...requests: Spent[]): Talk => ({
  project: "folder-a",
  day: "2026-11-30",
  turns: [requests],
})

function idOf(index: number): string {
  return String(index).padStart(12, "0")
}

/** The same, by adding up what the test wrote. */
function summed(talks: readonly Talk[], by: (typeof kinds)[number]): Map<string, StatisticsRow> {
  const rows = new Map<string, StatisticsRow & { ids: Set<number> }>()
  for (const [index, { project, day, turns }] of talks.entries()) {
    const at = (spent: Pick<Spent, "day" | "model">) => {
      const group = { day: spent.day, model: spent.model, project }[by]
      const row = rows.get(group) ?? { ...emptyRow(group), ids: new Set<number>() }
      rows.set(group, row)
      row.ids.add(index)
      row.conversations = row.ids.size
      return row
    }
    for (const turn of turns) {
      at(turn[0] ?? { day, model: conversationModel }).turns += 1
      for (const spent of turn) addTo(at(spent), spent)
    }
  }
  return new Map([...rows].map(([group, { ids: _, ...row }]) => [group, row]))
}

function addTo(row: StatisticsRow, { type, end, usage, cost, ...spent }: Spent): void {
  if (type === "step") row.steps += 1
  if (end === "lost") row.steps_without_cost += 1
  else {
    row.model_ms += spent.modelMs
    if (type === "step") row.overhead_ms += spent.overheadMs
  }
  const hasAnswer = end === "answered" || (type === "compaction" && end !== "lost")
  if (hasAnswer) {
    row.input_tokens += usage.input_tokens ?? 0
    row.cached_input_tokens += usage.cached_input_tokens ?? 0
    row.output_tokens += usage.output_tokens ?? 0
    row.reasoning_tokens += usage.reasoning_tokens ?? 0
    row.cost += cost ?? 0
    if (cost === null || spent.lostTries > 0) row.steps_without_cost += 1
  } else if (end === "unanswered") row.steps_without_cost += 1
}

function emptyRow(group: string): StatisticsRow {
  return {
    group,
    conversations: 0,
    turns: 0,
    steps: 0,
    input_tokens: 0,
    cached_input_tokens: 0,
    output_tokens: 0,
    reasoning_tokens: 0,
    cost: 0,
    steps_without_cost: 0,
    model_ms: 0,
    overhead_ms: 0,
  }
}

test("whatever logs say, the sums are theirs, and the same from the index", async () => {
  const base = await temporaryFolder()
  let runs = 0
  await fc.assert(
    fc.asyncProperty(fc.array(anyTalk, { maxLength: 5 }), async talks => {
      runs += 1
      const home = join(base, String(runs))
      await mkdir(home)
      for (const [index, each] of talks.entries()) writeTalk(home, idOf(index), each)

      const cold = await Promise.all(kinds.map(by => statistics({ by }, { home })))
      const warm = await Promise.all(kinds.map(by => statistics({ by }, { home })))
      expect(warm).toEqual(cold)
      for (const [index, by] of kinds.entries()) {
        expect(new Map(cold[index]?.rows.map(row => [row.group, row]))).toEqual(summed(talks, by))
      }
    }),
    { numRuns: 25 },
  )
})

test("a day is named by its date, the total is of all, and `since` leaves out what was before", async () => {
  const home = await temporaryFolder()
  writeTalk(home, idOf(1), talk({ ...answered, day: "2026-11-28" }, answered))
  writeTalk(home, idOf(2), talk({ ...answered, end: "lost" }))

  const one = { ...emptyRow("2026-11-28"), conversations: 1, turns: 1, steps: 1, cost: 0.5 }
  const tokens = {
    input_tokens: 100,
    cached_input_tokens: 80,
    output_tokens: 10,
    reasoning_tokens: 4,
  }
  const first = { ...one, ...tokens, model_ms: 1_000, overhead_ms: 2 }
  const second = {
    ...first,
    group: "2026-11-30",
    conversations: 2,
    steps: 2,
    steps_without_cost: 1,
  }
  expect(await statistics({ by: "day" }, { home })).toMatchObject({
    rows: [first, second],
    total: { group: "all", conversations: 2, turns: 2, steps: 3, cost: 1, steps_without_cost: 1 },
  })
  expect(await statistics({ by: "day", since: "2026-11-29" }, { home })).toMatchObject({
    rows: [second],
    total: { conversations: 2, steps: 2, cost: 0.5 },
  })
})

test("a log that is torn, damaged or unreadable is named, and counts as far as it can be read", async () => {
  const home = await temporaryFolder()
  const logs = [1, 2, 3, 4].map(number => writeTalk(home, idOf(number), talk(answered, answered)))
  const [torn = "", damaged = "", wrong = ""] = logs
  await appendFile(torn, '{"seq":9,"at":"2026')
  const lines = (await readFile(damaged, "utf8")).split("\n")
  await writeFile(damaged, lines.with(5, "x").join("\n"))
  await writeFile(
    wrong,
    (await readFile(wrong, "utf8")).replace('"output_tokens":10', '"output_tokens":"a"'),
  )

  const answer = await statistics({ by: "day" }, { home })
  expect(answer.incomplete).toEqual([
    { conversation: idOf(1), reason: "the record after 8 was not written to its end" },
    { conversation: idOf(2), reason: "record 6 is damaged" },
    { conversation: idOf(3), reason: "record 5 is damaged" },
  ])
  expect(answer.total).toMatchObject({ conversations: 4, steps: 2 + 1 + 1 + 2, output_tokens: 50 })
  expect(await statistics({ by: "day" }, { home })).toEqual(answer)
})

test("what was appended to a log, put in its place or removed is seen the next time", async () => {
  const home = await temporaryFolder()
  const [one, other] = [
    writeTalk(home, idOf(1), talk(answered)),
    join(home, "projects", "folder-b"),
  ]
  writeTalk(home, idOf(2), { ...talk(answered), project: "folder-b" })
  const steps = async () => (await statistics({ by: "model" }, { home })).total.steps
  expect(await steps()).toBe(2)

  const { atime, mtime } = await stat(one)
  writeTalk(home, idOf(1), talk(answered, answered, answered))
  await utimes(one, atime, mtime)
  expect(await steps()).toBe(4)
  await rm(other, { recursive: true })
  expect(await steps()).toBe(3)
})

test("an index that was damaged anywhere changes no sum", async () => {
  const home = await temporaryFolder()
  const index = join(home, "index.db")
  for (const number of [1, 2, 3]) writeTalk(home, idOf(number), talk(answered))
  const right = await statistics({ by: "project" }, { home })
  const whole = await readFile(index)

  await fc.assert(
    fc.asyncProperty(
      fc.nat(whole.length - 1),
      fc.uint8Array({ minLength: 1, maxLength: 64 }),
      fc.boolean(),
      async (at, bytes, cut) => {
        const changed = Buffer.from(whole)
        changed.set(bytes.subarray(0, whole.length - at), at)
        await writeFile(index, cut ? changed.subarray(0, at) : changed)
        expect(await statistics({ by: "project" }, { home })).toEqual(right)
        expect(await statistics({ by: "project" }, { home })).toEqual(right)
      },
    ),
    { numRuns: 30 },
  )
})

test("an index of another version, or of something else, is made anew", async () => {
  const home = await temporaryFolder()
  writeTalk(home, idOf(1), talk(answered))
  const right = await statistics({ by: "model" }, { home })
  const { DatabaseSync } = await import("node:sqlite")
  const changes = [
    "PRAGMA user_version = 99; DROP TABLE conversations",
    "DROP TABLE conversations; CREATE TABLE conversations (a)",
    "UPDATE conversations SET spending = '[]'",
  ]
  for (const change of changes) {
    const database = new DatabaseSync(join(home, "index.db"))
    database.exec(change)
    database.close()
    expect(await statistics({ by: "model" }, { home })).toEqual(right)
  }
})

test("an index that cannot take what is new is made anew the next time", async () => {
  const home = await temporaryFolder()
  writeTalk(home, idOf(1), talk(answered))
  await statistics({ by: "model" }, { home })
  const { DatabaseSync } = await import("node:sqlite")
  const database = new DatabaseSync(join(home, "index.db"))
  database.exec(
    "CREATE TRIGGER full BEFORE INSERT ON conversations BEGIN SELECT no_such_function(); END",
  )
  database.close()

  writeTalk(home, idOf(2), talk(answered))
  const steps = async () => (await statistics({ by: "model" }, { home })).total.steps
  expect(await steps()).toBe(2)
  expect(existsSync(join(home, "index.db"))).toBe(false)
  expect(await steps()).toBe(2)
  expect(existsSync(join(home, "index.db"))).toBe(true)
})

test("a home that cannot be written, or has no conversations, is left as it is", async () => {
  const home = await temporaryFolder()
  expect(await statistics({ by: "day" }, { home })).toEqual({
    type: "statistics",
    rows: [],
    total: emptyRow("all"),
    incomplete: [],
  })
  expect(existsSync(join(home, "index.db"))).toBe(false)

  writeTalk(home, idOf(1), talk(answered))
  await mkdir(join(home, "index.db"))
  await chmod(home, 0o500)
  expect((await statistics({ by: "day" }, { home })).total.steps).toBe(1)
})

test("a project is named by its remote, else by its folder, else by its key; all its keys are one", async () => {
  const home = await temporaryFolder()
  const projects = ["folder-a", "folder-b", "folder-gone"]
  projects.forEach((project, index) => {
    writeTalk(home, idOf(index), { ...talk(answered), project })
  })
  await writeFile(
    join(home, "folders.json"),
    JSON.stringify({
      version: 1,
      keys: { "/srv/shop": "folder-a" },
      aliases: { "folder-b": "folder-a" },
    }),
  )
  const { rows } = await statistics({ by: "project" }, { home })
  expect(rows.map(({ group, conversations }) => [group, conversations])).toEqual([
    ["/srv/shop", 2],
    ["folder-gone", 1],
  ])
})
