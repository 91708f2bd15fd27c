import { createHash } from "node:crypto"
import { chmodSync, statSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { outputsIn } from "../../src/outputs/outputs.ts"
import { makePool, type TestPool, tagged, until } from "../support/pool.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")
const elapsed = expect.any(Number)

let pool: TestPool

beforeEach(() => {
  pool = makePool({ limits: { grace_seconds: 0.5 } })
})

afterEach(async () => {
  await pool.dispose()
})

/** The receipt of a process that ended well, with what a case changes. */
const receipt = (output: string, changed: object = {}) => ({
  id: expect.stringMatching(/^[0-9a-f]{8}$/),
  status: "exited",
  exit_code: 0,
  signal: null,
  elapsed_seconds: elapsed,
  output_bytes: Buffer.byteLength(output),
  dropped_bytes: 0,
  output_sha256: sha256(output),
  output_id: expect.stringMatching(/^output:[0-9a-f]{8}$/),
  truncated: false,
  containment:
    "status" in changed && changed.status === "not_started"
      ? undefined
      : { sandbox: "off", network: true },
  ...changed,
})

test("a command that fails by itself is exited, with its code", async () => {
  const end = await pool.run({ shell: "echo bad; exit 3" })
  expect(end).toEqual({ receipt: receipt("bad\n", { exit_code: 3 }), preview: "bad\n" })
  expect(pool.kept(end)).toEqual({ output: "bad\n", receipt: end.receipt })
  expect(pool.seen()).toBe("bad\n")
})

test("argv is started without a shell, and stdin is empty", async () => {
  const end = await pool.run({ argv: ["printf", "%s|", "$HOME", "a b", "*"] })
  expect(end.preview).toBe("$HOME|a b|*|")
  expect(await pool.run({ argv: ["cat"] })).toMatchObject({ receipt: receipt("") })
})

test("a command that ends by a signal is exited, without a code and with the signal", async () => {
  expect((await pool.run({ shell: "kill -SEGV $$" })).receipt).toEqual(
    receipt("", { exit_code: null, signal: "SIGSEGV" }),
  )
})

test("a deadline ends the group by TERM, and the output up to it is kept", async () => {
  const shell = "echo begun; sleep 600 & wait"
  expect((await pool.run({ shell, timeoutSeconds: 0.3 })).receipt).toEqual(
    receipt("begun\n", { status: "timeout", exit_code: null, signal: "SIGTERM" }),
  )
  expect(tagged(pool.tag)).toEqual([])
})

test("a group that ignores TERM gets KILL after the grace", async () => {
  const shell = "trap '' TERM; echo begun; while :; do sleep 0.05; done"
  const { receipt: found } = await pool.run({ shell, timeoutSeconds: 0.3 })
  expect(found).toEqual(
    receipt("begun\n", { status: "timeout", exit_code: null, signal: "SIGKILL" }),
  )
  expect(found.elapsed_seconds).toBeGreaterThanOrEqual(0.8)
  expect(tagged(pool.tag)).toEqual([])
})

test("a command that cleans up at TERM tells its own code", async () => {
  const shell = "trap 'echo cleaned; exit 9' TERM; echo begun; sleep 600 & wait"
  expect((await pool.run({ shell, timeoutSeconds: 0.3 })).receipt).toEqual(
    receipt("begun\ncleaned\n", { status: "timeout", exit_code: 9 }),
  )
})

test("a cancelled action cancels its process", async () => {
  const abort = new AbortController()
  const running = pool.run({ shell: "echo begun; sleep 600" }, abort)
  await until(() => pool.seen() === "begun\n")
  abort.abort()
  expect((await running).receipt).toEqual(
    receipt("begun\n", { status: "cancelled", exit_code: null, signal: "SIGTERM" }),
  )
})

test("an action that is cancelled already starts nothing", async () => {
  expect((await pool.run({ shell: "echo no" }, { signal: AbortSignal.abort() })).receipt).toEqual(
    receipt("", {
      status: "not_started",
      exit_code: null,
      elapsed_seconds: 0,
      reason: "cancelled",
    }),
  )
})

test("closing ends what runs with session_closed, and nothing starts after it", async () => {
  const running = pool.run({ shell: "echo begun; sleep 600" })
  await until(() => pool.seen() === "begun\n")
  const closed = receipt("begun\n", {
    status: "session_closed",
    exit_code: null,
    signal: "SIGTERM",
  })
  expect(await pool.pool.close()).toEqual([closed])
  expect((await running).receipt).toEqual(closed)
  expect((await pool.run({ shell: "echo no" })).receipt).toMatchObject({
    status: "not_started",
    reason: "session_closed",
  })
})

test.each([
  [
    "a program that is missing",
    { argv: ["no-such-program"] },
    "no-such-program was not found, or the interpreter that it names",
  ],
  [
    "a shell that is missing",
    { shell: "true", shellPath: "/no/sh" },
    "/no/sh was not found, or the interpreter that it names",
  ],
  ["a folder as program", { argv: ["/"] }, "/ may not be executed"],
  ["a file that is not executable", { argv: ["./plain"] }, "./plain may not be executed"],
  ["a cwd that is missing", { argv: ["true"], cwd: "gone" }, "cwd: gone does not exist."],
  ["a cwd that is a file", { argv: ["true"], cwd: "plain" }, "cwd: plain is not a folder."],
  ["a cwd outside", { argv: ["true"], cwd: ".." }, "cwd: .. leads out of the folder."],
  ["no argv", { argv: [] }, "it needs an argv or a shell line, and not both"],
  [
    "a deadline of 0",
    { argv: ["true"], timeoutSeconds: 0 },
    "a deadline of 0 s is not above 0 and at most 3600 s",
  ],
  [
    "a deadline above the limit",
    { argv: ["true"], timeoutSeconds: 3_601 },
    "a deadline of 3601 s is not above 0 and at most 3600 s",
  ],
])("%s is not started, and says why", async (_case, spec, reason) => {
  pool.folders.put({ "root/plain": "x" })
  chmodSync(join(pool.folders.path, "plain"), 0o644)
  const end = await pool.run(spec)
  expect(end.receipt).toEqual(
    receipt("", { status: "not_started", exit_code: null, elapsed_seconds: 0, reason }),
  )
  expect(pool.kept(end)).toEqual({ output: "", receipt: end.receipt })
})

test("a NUL in an argument is not started instead of thrown", async () => {
  expect((await pool.run({ argv: ["echo", "a\0b"] })).receipt).toMatchObject({
    status: "not_started",
    reason: expect.stringContaining("null bytes"),
  })
})

test("output and receipt are private to the user", async () => {
  const { receipt: found } = await pool.run({ shell: "echo x" })
  const folder = join(pool.folders.artifacts, "processes", found.id)
  const modes = [folder, join(folder, "output"), join(folder, "receipt.json")]
  expect(modes.map(path => statSync(path).mode & 0o777)).toEqual([0o700, 0o600, 0o600])
})

test("sixteen run side by side and the seventeenth is refused", async () => {
  const shell = "echo up; sleep 600"
  const abort = new AbortController()
  const running = Array.from({ length: 16 }, () => pool.run({ shell }, abort))
  await until(() => pool.seen() === "up\n".repeat(16))
  expect((await pool.run({ shell })).receipt).toEqual(
    receipt("", {
      status: "not_started",
      exit_code: null,
      elapsed_seconds: 0,
      reason: "too_many_processes",
    }),
  )
  abort.abort()
  const ends = await Promise.all(running)
  expect(ends.map(({ receipt: { status } }) => status)).toEqual(Array(16).fill("cancelled"))
  expect((await pool.run({ shell: "echo free" })).receipt.status).toBe("exited")
})

test("a process whose output cannot be kept is not started", async () => {
  pool.folders.put({ "artifacts/processes": "in the way" })
  expect(await pool.run({ shell: "echo x" })).toEqual({
    receipt: receipt("", {
      status: "not_started",
      exit_code: null,
      elapsed_seconds: 0,
      reason: "its output cannot be kept: ENOTDIR",
    }),
    preview: "",
  })
})

test("without a deadline of its own a command gets the configured one", async () => {
  const short = makePool({ limits: { command_seconds: 0.3 } })
  expect((await short.runAsIs({ shell: "sleep 600" })).receipt).toEqual(
    receipt("", { status: "timeout", exit_code: null, signal: "SIGTERM" }),
  )
  await short.dispose()
})

test("a process of scratch leaves its output where the action may read it, and uses no grant", async () => {
  const poor = makePool({ grantBytes: 0 })
  const refused = await poor.run({ shell: "echo kept" })
  expect(refused.receipt).toMatchObject({ status: "not_started", reason: "evidence_exhausted" })

  const end = await poor.run({ shell: "echo scratch", scratch: true })
  expect({ ...end, receipt: { ...end.receipt, elapsed_seconds: 0 } }).toEqual({
    receipt: receipt("scratch\n", {
      id: expect.stringMatching(/^scratch-[0-9a-f]{8}$/),
      output_id: `output:${end.receipt.id}`,
      elapsed_seconds: 0,
    }),
    preview: "scratch\n",
  })
  const read = await outputsIn(poor.folders.artifacts).read(end.receipt.output_id, {
    offset: 0,
    limitBytes: 100,
  })
  expect(read).toEqual({ status: "read", offset: 0, size: 8, bytes: Buffer.from("scratch\n") })
  await poor.dispose()
})
