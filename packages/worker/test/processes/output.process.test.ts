import { createHash } from "node:crypto"
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { afterEach, expect, test } from "vitest"
import { makePool, type PoolOptions, type TestPool } from "../support/pool.ts"

const pools: TestPool[] = []

afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.dispose()
})

function open(options: PoolOptions = {}): TestPool {
  const pool = makePool(options)
  pools.push(pool)
  return pool
}

test("both streams come in the order in which they were written", async () => {
  const lines = Array.from({ length: 100 }, (_, line) => `o${line}\ne${line}\n`).join("")
  const shell = "i=0; while [ $i -lt 100 ]; do echo o$i; echo e$i >&2; i=$((i+1)); done"
  expect((await open().run({ shell })).preview).toBe(lines)
})

test("/dev/stdout and /dev/stderr can be opened and keep the order", async () => {
  const shell = "echo a > /dev/stderr; echo b > /dev/stdout; echo c >&2; echo d"
  expect((await open().run({ shell })).preview).toBe("a\nb\nc\nd\n")
})

test("standard output alone leaves errors out", async () => {
  const end = await open().run({ shell: "echo out; echo err >&2", streams: "stdout" })
  expect(end.preview).toBe("out\n")
})

test("the preview is the end of the output, cut at a character", async () => {
  const pool = open({ limits: { preview_bytes: 10 } })
  const end = await pool.run({ argv: ["printf", "%s", "ab".concat("ü".repeat(5), "x")] })
  expect(end.preview).toBe("üüüüx")
  expect(end.receipt).toMatchObject({ output_bytes: 13, truncated: true })
  expect(await pool.run({ argv: ["printf", "0123456789"] })).toMatchObject({
    preview: "0123456789",
    receipt: { truncated: false },
  })
  expect((await pool.run({ argv: ["printf", "a\\377b"] })).preview).toBe("a\ufffdb")
})

test("output of exactly the limit is whole, and one byte more is output_limit", async () => {
  const pool = open({ limits: { output_bytes: 1_000, grace_seconds: 0.5 } })
  const exact = await pool.run({ shell: "head -c 1000 /dev/zero" })
  expect(exact.receipt).toMatchObject({ status: "exited", output_bytes: 1_000, dropped_bytes: 0 })
  const more = await pool.run({ shell: "head -c 1001 /dev/zero; sleep 600" })
  expect(more.receipt).toMatchObject({
    status: "output_limit",
    signal: "SIGTERM",
    output_bytes: 1_000,
    dropped_bytes: 1,
    truncated: true,
    output_sha256: createHash("sha256").update(Buffer.alloc(1_000)).digest("hex"),
  })
  expect(pool.kept(more).output).toBe("\0".repeat(1_000))
})

test("a flood is cut at exactly the limit, sixteen at once too, in bounded memory", async () => {
  const limit = 1_048_576
  const pool = open({ limits: { output_bytes: limit, grace_seconds: 0.5 } })
  const before = process.memoryUsage().rss
  const shell = "head -c 67108864 /dev/zero"
  const ends = await Promise.all(Array.from({ length: 16 }, () => pool.run({ shell })))
  for (const { receipt } of ends) {
    expect(receipt).toMatchObject({ status: "output_limit", output_bytes: limit })
    const file = join(pool.folders.artifacts, "processes", receipt.id, "output")
    expect(statSync(file).size).toBe(limit)
    expect(createHash("sha256").update(readFileSync(file)).digest("hex")).toBe(
      receipt.output_sha256,
    )
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(96 * 1_048_576)
})

test("a flood that ignores TERM is drained until KILL", async () => {
  const pool = open({ limits: { output_bytes: 1_000, grace_seconds: 0.5 } })
  const shell = "trap '' TERM PIPE; while :; do echo flood; done"
  const { receipt } = await pool.run({ shell })
  expect(receipt).toMatchObject({ status: "output_limit", signal: "SIGKILL", output_bytes: 1_000 })
  expect(receipt.dropped_bytes).toBeGreaterThan(0)
})

test("the grant of the action bounds the output below the limit", async () => {
  const pool = open({ grantBytes: 100, limits: { grace_seconds: 0.5 } })
  const { receipt } = await pool.run({ shell: "head -c 200 /dev/zero; sleep 600" })
  expect(receipt).toMatchObject({ status: "output_limit", output_bytes: 100, dropped_bytes: 100 })
  expect(pool.folders.evidence.usedBytes).toBe(100)
  expect((await pool.run({ shell: "echo x" })).receipt).toMatchObject({
    status: "not_started",
    reason: "evidence_exhausted",
  })
})

test("without named pipes the output still comes", async () => {
  const pool = open()
  await pool.run({ shell: "true" })
  const processes = join(pool.folders.artifacts, "processes")
  for (const name of readdirSync(processes)) {
    if (name.startsWith(".fifos-")) rmSync(join(processes, name), { recursive: true })
  }
  const { receipt, preview } = await pool.run({ shell: "echo out; sleep 0.1; echo err >&2" })
  expect(receipt.status).toBe("exited")
  expect(preview).toBe("out\nerr\n")
})

test("a command gets the least environment, what is allowed and what it asked for", async () => {
  const own = {
    ...process.env,
    OPENAI_API_KEY: "sk-secret",
    NODE_OPTIONS: "--no-warnings",
    NODE_CHANNEL_FD: "3",
    LC_ALL: "C",
    TZ: "UTC",
    TMPDIR: "/elsewhere",
  }
  const env = { HARNESS_SESSION: "forged", EXTRA: "e" }
  const shell = "env; echo; tr '\\0' '\\n' < /proc/$PPID/environ | grep -c sk-secret"
  const pool = open({ own, allowed: { CI: "1" } })
  const { preview } = await pool.run({ argv: ["env"], env })
  const found = Object.fromEntries(
    preview
      .trimEnd()
      .split("\n")
      .map(line => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  )
  const inherited = ["PATH", "HOME", "LANG", "TERM", "USER", "SHELL"].filter(name => name in own)
  expect(Object.keys(found).sort()).toEqual(
    [...inherited, "LC_ALL", "TZ", "TMPDIR", "CI", "EXTRA", "HARNESS_SESSION"].sort(),
  )
  expect(found).toMatchObject({
    TMPDIR: join(pool.folders.base, "temp"),
    CI: "1",
    EXTRA: "e",
    HARNESS_SESSION: pool.tag,
  })
  // The control: the same key in what is allowed does reach the command, so it would be seen.
  const control = open({ own, allowed: { OPENAI_API_KEY: "sk-secret" } })
  expect((await control.run({ shell })).preview).toContain("OPENAI_API_KEY=sk-secret")
  expect((await pool.run({ shell })).preview).not.toContain("OPENAI_API_KEY")
})
