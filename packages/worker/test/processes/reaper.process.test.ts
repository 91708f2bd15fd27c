import { type ChildProcess, spawn } from "node:child_process"
import { createHash, randomUUID } from "node:crypto"
import { once } from "node:events"
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ProcessReceipt } from "@harness/protocol"
import { afterEach, beforeEach, expect, test } from "vitest"
import { SCRIPT } from "../../src/processes/reaper-script.ts"
import { until } from "../support/pool.ts"

const isRoot = process.getuid?.() === 0

/** Somebody who may not look at everything, where the tests may. */
const user = isRoot ? { uid: 65_534, gid: 65_534 } : {}

let base: string
let tag: string
let children: ChildProcess[]

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "harness-reaper-"))
  tag = randomUUID()
  children = []
  for (const folder of ["fifos", "records"]) ours(join(base, folder))
  if (isRoot) chownSync(base, 65_534, 65_534)
})

afterEach(() => {
  for (const child of children) child.kill("SIGKILL")
  rmSync(base, { recursive: true, force: true })
})

function ours(folder: string): string {
  mkdirSync(folder)
  if (isRoot) chownSync(folder, 65_534, 65_534)
  return folder
}

/** A process with an output of 5 bytes, known to the reaper. */
function begun(reaper: ChildProcess, id: string, contained = ""): void {
  writeFileSync(join(ours(join(base, "records", id)), "output"), "told\n")
  reaper.stdin?.write(`b${id}:${Math.floor(Date.now() / 1_000) - 3}:${contained}\n`)
}

async function startReaper(): Promise<ChildProcess> {
  const args = ["harness-reaper", tag, join(base, "fifos"), join(base, "records"), "4"]
  const reaper = spawn("/bin/sh", ["-c", SCRIPT, ...args, join(base, "fifos", "0")], {
    ...user,
    cwd: "/",
    env: { PATH: process.env.PATH },
    stdio: ["pipe", "pipe", "ignore"],
  })
  children.push(reaper)
  expect(String((await once(reaper.stdout, "data"))[0])).toBe("fifos\n")
  return reaper
}

function startSleep(program: string, env: Record<string, string> = {}): ChildProcess {
  const child = spawn(program, ["600"], { ...user, env, stdio: "ignore", detached: true })
  children.push(child)
  return child
}

/** As when the worker dies. */
async function left(reaper: ChildProcess): Promise<void> {
  const exited = once(reaper, "exit")
  reaper.stdin?.end()
  await exited
}

function receiptOf(id: string): ProcessReceipt | undefined {
  const file = join(base, "records", id, "receipt.json")
  return existsSync(file) ? ProcessReceipt.parse(JSON.parse(readFileSync(file, "utf8"))) : undefined
}

test("what has no receipt when the worker dies gets one, and what has one keeps it", async () => {
  const reaper = await startReaper()
  const group = startSleep("/bin/sleep")
  reaper.stdin?.write(`+${group.pid}\n`)
  const stray = startSleep("/bin/sleep", { HARNESS_SESSION: tag })
  for (const id of ["00000001", "00000002", "00000003"]) begun(reaper, id)
  writeFileSync(join(base, "records", "00000002", "receipt.json"), "mine")
  reaper.stdin?.write("f00000003\n")
  const ends = [once(group, "exit"), once(stray, "exit")]
  await left(reaper)

  expect(await Promise.all(ends)).toEqual([
    [null, "SIGTERM"],
    [null, "SIGKILL"],
  ])
  expect(receiptOf("00000001")).toEqual({
    id: "00000001",
    status: "session_closed",
    exit_code: null,
    signal: null,
    elapsed_seconds: expect.any(Number),
    output_bytes: 5,
    dropped_bytes: 0,
    output_sha256: createHash("sha256").update("told\n").digest("hex"),
    output_id: "output:00000001",
    truncated: true,
    reason: "worker_lost",
  })
  expect(receiptOf("00000001")?.elapsed_seconds).toBeGreaterThanOrEqual(3)
  expect(readFileSync(join(base, "records", "00000002", "receipt.json"), "utf8")).toBe("mine")
  expect(receiptOf("00000003")).toBeUndefined()
  expect(existsSync(join(base, "fifos"))).toBe(false)
})

test("a process with an environment that may not be read makes the ends of others unknown", async () => {
  const reaper = await startReaper()
  for (const [id, contained] of [
    ["00000001", ""],
    ["00000002", "contained"],
  ] as const) {
    begun(reaper, id, contained)
  }
  const before = await unreadable()
  await left(reaper)
  expect(receiptOf("00000001")?.status).toBe(before === undefined ? "session_closed" : "unknown")
  expect(receiptOf("00000002")?.status).toBe("session_closed")
})

/** A program with the rights of its owner; only root can make one that an other user starts. */
async function unreadable(): Promise<ChildProcess | undefined> {
  if (!isRoot) return undefined
  const program = join(base, "privileged")
  copyFileSync("/bin/sleep", program)
  chmodSync(program, 0o4755)
  const child = startSleep(program)
  await until(() => readFileSync(`/proc/${child.pid}/comm`, "utf8") === "privileged\n")
  return child
}
