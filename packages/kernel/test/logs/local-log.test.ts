import { existsSync } from "node:fs"
import { mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import { createLocalLog } from "../../src/logs/local-log.ts"
import { temporaryFolder } from "../support/temporary.ts"

const clock = () => Date.parse("2026-01-02T03:04:05.000Z")

async function logIn(home: string, env: Record<string, string> = {}) {
  const log = createLocalLog({ home, env, clock })
  const file = join(home, "logs", "harness.log")
  const lines = async () => (await readFile(file, "utf8")).trimEnd().split("\n").map(parsed)
  return { log, file, lines }
}

const parsed = (line: string): unknown => JSON.parse(line)

test("a record is one line of JSON with its time and level, for the owner alone", async () => {
  const { log, file, lines } = await logIn(await temporaryFolder())

  log.record({ level: "warn", event: "worker_replaced", conversation: "c1" })
  log.record({ level: "error", event: "command_failed", code: "unexpected" })

  const shared = { time: "2026-01-02T03:04:05.000Z", pid: process.pid }
  expect(await lines()).toEqual([
    { ...shared, level: "warn", event: "worker_replaced", conversation: "c1" },
    { ...shared, level: "error", event: "command_failed", code: "unexpected" },
  ])
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await stat(join(file, ".."))).mode & 0o777).toBe(0o700)
})

test("a line that can wait has the same form, and is written before the next that cannot", async () => {
  const { log, file, lines } = await logIn(await temporaryFolder())
  log.defer({ level: "info", event: "step", cost: null })
  log.defer({ level: "info", event: "step", cost: 0.5 })
  expect(existsSync(file)).toBe(false)

  log.record({ level: "info", event: "step", cost: 1 })
  const shared = { level: "info", time: "2026-01-02T03:04:05.000Z", pid: process.pid }
  const all = [null, 0.5, 1].map(cost => JSON.stringify({ ...shared, event: "step", cost }))
  expect(await readFile(file, "utf8")).toBe(`${all.join("\n")}\n`)

  log.defer({ level: "info", event: "last" })
  log.flush()
  log.flush()
  expect((await lines()).slice(3)).toEqual([{ ...shared, event: "last" }])
})

test("lines that wait are bounded, and what is hidden before they are written is redacted", async () => {
  const { log, lines } = await logIn(await temporaryFolder())
  for (let number = 0; number < 500; number += 1)
    log.defer({ level: "info", event: "step", number })
  expect(await lines()).toHaveLength(500)

  log.defer({ level: "info", event: "step", model: "vendor/a-secret-of-a-login" })
  log.hide("a-secret-of-a-login")
  log.flush()
  expect((await lines()).at(-1)).toMatchObject({ model: "vendor/[redacted]" })
})

test("a secret in a record is not in the file, in whatever form", async () => {
  const secret = 'a "quoted\\ secret'
  const { log, file } = await logIn(await temporaryFolder(), { ACME_API_KEY: secret })

  log.record({
    level: "error",
    event: "x",
    message: `401 for ${secret}`,
    more: { [secret]: [secret] },
  })
  log.record({ level: "error", event: "x", message: JSON.stringify({ key: secret }) })

  const text = await readFile(file, "utf8")
  expect(text).not.toContain("quoted")
  expect(text.match(/\[redacted\]/g)).toHaveLength(4)
})

test("nothing is written before the first record, and a home that is not there is not made", async () => {
  const home = join(await temporaryFolder(), "home")
  const { log } = await logIn(home)
  log.record({ level: "info", event: "x" })
  expect(existsSync(home)).toBe(false)

  await mkdir(home)
  expect(await readdir(home)).toEqual([])
  log.record({ level: "info", event: "x" })
  expect(await readdir(home)).toEqual(["logs"])
})

test("the file is bounded: at 5 MiB it makes room, and two older ones are kept", async () => {
  const { log, file, lines } = await logIn(await temporaryFolder())
  log.record({ level: "info", event: "first" })
  const full = "x".repeat(5 * 1_048_576)

  for (const number of [1, 2, 3, 4]) {
    await writeFile(file, `${number}${full}`)
    log.record({ level: "info", event: "next", number })
  }

  expect((await readdir(join(file, ".."))).sort()).toEqual([
    "harness.log",
    "harness.log.1",
    "harness.log.2",
  ])
  expect(await lines()).toMatchObject([{ event: "next", number: 4 }])
  const first = async (path: string) => (await readFile(path, "utf8")).slice(0, 1)
  expect([await first(`${file}.1`), await first(`${file}.2`)]).toEqual(["4", "3"])
})

test("a lock that a killed process left keeps the file growing only until the next lines", async () => {
  const { log, file } = await logIn(await temporaryFolder())
  log.record({ level: "info", event: "first" })
  await writeFile(file, "x".repeat(5 * 1_048_576))
  await writeFile(`${file}.lock`, "")
  const long = new Date(Date.now() - 60_000)
  await utimes(`${file}.lock`, long, long)

  log.record({ level: "info", event: "second" })
  log.record({ level: "info", event: "third" })
  expect((await readdir(join(file, ".."))).sort()).toEqual(["harness.log", "harness.log.1"])
})

test.each(["a file in the folder's place", "a folder in the file's place"])(
  "a log that cannot be written changes nothing else: %s",
  async place => {
    const home = await temporaryFolder()
    if (place.startsWith("a file")) await writeFile(join(home, "logs"), "")
    else await mkdir(join(home, "logs", "harness.log"), { recursive: true })

    const { log } = await logIn(home)
    expect(() => log.record({ level: "error", event: "x" })).not.toThrow()
    log.defer({ level: "info", event: "x" })
    expect(() => log.flush()).not.toThrow()
  },
)
