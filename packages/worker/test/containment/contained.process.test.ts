import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type SandboxProvider, sandboxFor } from "@harness/sandbox"
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest"
import { makePool, sandboxOptions, type TestPool, tagged, until } from "../support/pool.ts"

const outputOfNothing = { output_bytes: 0, dropped_bytes: 0, truncated: false }
const contained = { sandbox: "bubblewrap", network: false }

let folder: string
let provider: SandboxProvider
let pool: TestPool

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "harness-contained-"))
  provider = sandboxFor("os", sandboxOptions(folder))
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

beforeEach(() => {
  const limits = { grace_seconds: 0.5, output_bytes: 1_000_000 }
  pool = makePool({ limits, sandbox: { provider, network: false } })
})

afterEach(async () => {
  await pool.dispose()
})

test("a command works in the project and its temporary folder, and its receipt says how it was held", async () => {
  const shell = 'echo made > file && echo more > "$TMPDIR/file" && cat file "$TMPDIR/file" && pwd'
  const { receipt, preview } = await pool.run({ shell })
  expect(preview).toBe(`made\nmore\n${pool.folders.path}\n`)
  expect(receipt).toMatchObject({
    status: "exited",
    exit_code: 0,
    signal: null,
    containment: contained,
  })
  expect(receipt.containment).not.toHaveProperty("hint")
})

test("standard output and error keep their order, and can be opened by name", async () => {
  const shell = "echo 1; echo 2 >&2; echo 3 > /dev/stderr; echo 4 > /dev/stdout; echo 5"
  expect((await pool.run({ shell })).preview).toBe("1\n2\n3\n4\n5\n")
  expect((await pool.run({ shell, streams: "stdout" })).preview).toBe("1\n4\n5\n")
})

test("a command has no descriptor but its input and output", async () => {
  const argv = ["/bin/sh", "-c", "cd /proc/$$/fd && for fd in *; do [ -e $fd ] && echo $fd; done"]
  const outside = await runFree({ shell: argv[2] ?? "" })
  // What the test's own process was left by others is not the sandbox's.
  const inherited = new Set(outside.split("\n"))
  const { preview } = await pool.run({ argv })
  expect(preview.split("\n").filter(fd => !inherited.has(fd) && Number(fd) > 2)).toEqual([])
})

test.each([
  ["a program that is missing", { argv: ["no-such-program"] }, "no-such-program was not found"],
  ["a shell that is missing", { shell: "true", shellPath: "/no/sh" }, "/no/sh was not found"],
  ["a folder as program", { argv: ["/"] }, "/ may not be executed"],
  ["a NUL in an argument", { argv: ["echo", "a\0b"] }, "null bytes"],
])("%s is not started, and says why", async (_case, spec, reason) => {
  expect((await pool.run(spec)).receipt).toMatchObject({
    ...outputOfNothing,
    status: "not_started",
    exit_code: null,
    reason: expect.stringContaining(reason),
  })
})

test("a program that only the host sees is not started, in the sandbox's own words", async () => {
  pool.folders.put({ "outside/tool": "#!/bin/sh\n" })
  chmodSync(join(pool.folders.outside, "tool"), 0o755)
  const hiding = makePool({
    sandbox: { provider, network: false, containment: hide(pool.folders.outside) },
  })
  const program = join(pool.folders.outside, "tool")
  const { receipt } = await hiding.run({ argv: [program] })
  expect(receipt).toMatchObject({
    ...outputOfNothing,
    status: "not_started",
    reason: expect.stringMatching(/^its sandbox did not start it: .*No such file/),
  })
  expect(receipt).not.toHaveProperty("containment")
  await hiding.dispose()
})

test("a signal that ends the command is told as the exit code that a shell gives it", async () => {
  expect((await pool.run({ shell: "kill -SEGV $$" })).receipt).toMatchObject({
    status: "exited",
    exit_code: 139,
    signal: null,
  })
})

test("a deadline lets the command clean up", async () => {
  const shell = "trap 'echo cleaned; exit 9' TERM; echo begun; sleep 600 & wait"
  const { receipt, preview } = await pool.run({ shell, timeoutSeconds: 0.5 })
  expect(preview).toBe("begun\ncleaned\n")
  expect(receipt).toMatchObject({ status: "timeout", exit_code: 9, signal: null })
  expect(tagged(pool.tag)).toEqual([])
})

test("a command that TERM ends has its exit code; its whole group gets it", async () => {
  const shell = "(trap 'echo child; exit 0' TERM; sleep 600 & wait) & echo begun; wait"
  const { receipt, preview } = await pool.run({ shell, timeoutSeconds: 0.5 })
  expect(receipt).toMatchObject({ status: "timeout", exit_code: 143, signal: null })
  expect(preview).toMatch(/^begun\n(child\n)?$/)
})

test("what ignores TERM is killed after the grace, whatever it has started", async () => {
  const stubborn = "trap '' TERM; setsid sh -c 'trap \"\" TERM; sleep 600' & echo begun; sleep 600"
  const { receipt } = await pool.run({ shell: stubborn, timeoutSeconds: 0.3 })
  expect(receipt).toMatchObject({ status: "timeout", exit_code: null, signal: "SIGKILL" })
  expect(receipt.elapsed_seconds).toBeGreaterThanOrEqual(0.8)
  await until(() => tagged(pool.tag).length === 0)
})

test("a cancelled action cancels its process", async () => {
  const abort = new AbortController()
  const running = pool.run({ shell: "echo begun; sleep 600" }, { signal: abort.signal })
  await until(() => pool.seen() === "begun\n")
  abort.abort()
  expect((await running).receipt).toMatchObject({ status: "cancelled", exit_code: 143 })
  expect(tagged(pool.tag)).toEqual([])
})

test("a process that prints more than may be kept is ended", async () => {
  const { receipt } = await pool.run({ shell: "yes" })
  expect(receipt).toMatchObject({ status: "output_limit", output_bytes: 1_000_000 })
  expect(tagged(pool.tag)).toEqual([])
})

test("a daemon and a background child end with their command", async () => {
  const shell =
    "setsid sh -c 'trap \"\" TERM; while :; do echo stray; sleep 0.02; done' & sleep 600 & echo done"
  const { receipt } = await pool.run({ shell })
  expect(receipt).toMatchObject({ status: "exited", exit_code: 0 })
  await until(() => tagged(pool.tag).length === 0)
  expect((await pool.run({ shell: "echo clean" })).preview).toBe("clean\n")
})

test("a command's variables are in no process's arguments, which everybody can read", async () => {
  const spec = { shell: 'echo "$WORD"; sleep 600', env: { WORD: "sesame-4711" } }
  const running = [pool.run(spec), pool.run(spec)]
  await until(() => pool.seen() === "sesame-4711\n".repeat(2))

  const telling = tagged(pool.tag).filter(id => argumentsOf(id).includes("sesame-4711"))

  await pool.pool.close()
  await Promise.all(running)
  expect(telling).toEqual([])
})

test("closing ends what runs, and leaves no process and no file beside outputs and receipts", async () => {
  const running = [1, 2, 3].map(() => pool.run({ shell: "echo up; sleep 600" }))
  await until(() => pool.seen() === "up\n".repeat(3))
  const receipts = await pool.pool.close()
  expect(receipts.map(({ status }) => status)).toEqual(Array(3).fill("session_closed"))
  expect(tagged(pool.tag)).toEqual([])
  await Promise.all(running)
  const processes = join(pool.folders.artifacts, "processes")
  const kept = readdirSync(processes).flatMap(name => readdirSync(join(processes, name)))
  expect([...new Set(kept)].sort()).toEqual(["output", "receipt.json"])
})

test("the wrapper carries the tag, so that the reaper finds it too", async () => {
  const abort = new AbortController()
  const running = pool.run({ shell: "echo up; exec sleep 600" }, { signal: abort.signal })
  await until(() => pool.seen() === "up\n")
  // The wrapper, the sandbox's init and the command.
  expect(tagged(pool.tag)).toHaveLength(3)
  abort.abort()
  await running
})

test("variables of the command are none of the wrapper's", async () => {
  const env = { LD_PRELOAD: "/no/such/library.so", LD_DEBUG: "libs", NAME: "a b\n'c'" }
  const { receipt, preview } = await pool.run({ argv: ["printenv", "NAME"], env })
  expect(receipt).toMatchObject({ status: "exited", exit_code: 0 })
  expect(preview).toContain("a b\n'c'\n")
  expect(preview).not.toContain("bwrap")
})

test("a failed look-up of a name gets the hint that the network is off", async () => {
  const { receipt } = await pool.run({
    argv: [process.execPath, "-e", "require('dns').lookup('example.org', e => { throw e })"],
  })
  const hint = "the network is off for commands: ask with `network`, or run with --network"
  expect(receipt).toMatchObject({ exit_code: 1, containment: { ...contained, hint } })
})

test("a write outside of the project gets the hint where one may write", async () => {
  const { receipt } = await pool.run({ argv: ["touch", "/etc/made-by-a-test"] })
  const hint = "only the project folder and $TMPDIR can be written"
  expect(receipt).toMatchObject({ exit_code: 1, containment: { ...contained, hint } })
  expect(existsSync("/etc/made-by-a-test")).toBe(false)
})

test("the network is for the command that has leave, and for no other", async () => {
  const interfaces = "tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' ' | grep -v '^lo$' | wc -l"
  const wanted = { shell: interfaces, network: true }
  expect((await pool.run(wanted)).receipt).toMatchObject({
    status: "not_started",
    reason: "network_denied",
  })

  const given = await pool.run(wanted, { permits: ["network"] })
  expect(given.receipt.containment).toEqual({ sandbox: "bubblewrap", network: true })
  const without = await pool.run({ shell: interfaces }, { permits: ["network"] })
  expect(without.receipt.containment).toEqual(contained)
  expect(without.preview).toBe("0\n")
  expect(given.preview).toBe((await runFree({ shell: interfaces })) || "")
})

test("a tool of an action is contained too, and its output is gone with the action", async () => {
  const shell = 'touch "$HOME/x" /etc/x; tail -n +3 /proc/net/dev | wc -l'
  const { receipt, preview } = await pool.run({ shell, scratch: true })
  expect(receipt).toMatchObject({ status: "exited", containment: contained })
  expect(preview).toMatch(/Read-only file system\n(?:.*\n)*1\n$/)
})

test("sixteen run side by side", async () => {
  const running = Array.from({ length: 16 }, (_, at) => pool.run({ shell: `echo ${at}` }))
  const ends = await Promise.all(running)
  expect(ends.map(({ preview }) => preview)).toEqual(ends.map((_, at) => `${at}\n`))
})

test("what harness keeps of the conversation is hidden from commands", async () => {
  const { preview } = await pool.run({ shell: `ls -A ${pool.folders.artifacts}; echo listed` })
  expect(preview).not.toContain("processes")
  expect(preview).toContain("listed")
})

/** What the same line prints without a sandbox. */
async function runFree(spec: { shell: string }): Promise<string> {
  const free = makePool()
  try {
    return (await free.run(spec)).preview
  } finally {
    await free.dispose()
  }
}

function hide(path: string) {
  return { hide: [path], unix_sockets: false, debuggers: false }
}

function argumentsOf(id: number): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, "utf8")
  } catch {
    return ""
  }
}
