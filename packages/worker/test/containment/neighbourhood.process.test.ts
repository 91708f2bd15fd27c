import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type SandboxProvider, sandboxFor } from "@harness/sandbox"
import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import { makePool, sandboxOptions, type TestPool } from "../support/pool.ts"

let folder: string
const pools: TestPool[] = []

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "harness-neighbours-"))
})

afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.dispose()
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

function open(changed: Partial<SandboxProvider> = {}): TestPool {
  const provider = { ...sandboxFor("os", sandboxOptions(folder)), ...changed }
  const pool = makePool({ limits: { grace_seconds: 0.5 }, sandbox: { provider, network: false } })
  pools.push(pool)
  return pool
}

const PORT = 8_123
const server = [
  process.execPath,
  "-e",
  `require("net").createServer(socket => socket.end("served")).listen(${PORT}, "127.0.0.1")`,
]
const client = (port: number) => [
  process.execPath,
  "-e",
  `const socket = require("net").connect(${port}, "127.0.0.1")
   socket.on("data", text => console.log(String(text))).on("error", error => console.log(error.code))`,
]

test("a server that one command started is reached by the next, and by nobody else", async () => {
  const pool = open()
  const started = await pool.start({ argv: server }, { ready: PORT, readySeconds: 60 })
  expect(started).toMatchObject({ ready: "ready", receipt: { status: "running" } })

  const ask = { argv: client(PORT) }
  expect((await pool.run(ask)).preview).toBe("served\n")
  expect((await open().run(ask)).preview).toBe("ECONNREFUSED\n")
  expect(await connects(PORT)).toBe(false)

  await pool.pool.cancel(started.receipt.id)
  expect((await pool.run(ask)).preview).toBe("ECONNREFUSED\n")
})

test("the host's own servers are not among the neighbours, nor is its network", async () => {
  const host = createServer(socket => socket.end("the host"))
  await new Promise<void>(resolve => host.listen(0, "127.0.0.1", resolve))
  const address = host.address()
  const port = typeof address === "object" ? (address?.port ?? 0) : 0
  expect(await connects(port)).toBe(true)

  const pool = open()
  expect((await pool.run({ argv: client(port) })).preview).toBe("ECONNREFUSED\n")
  const { preview } = await pool.run({ shell: "grep : /proc/net/dev | cut -d: -f1 | tr -d ' '" })
  expect(preview).toBe("lo\n")
  host.close()
})

test("a command that shares a network has no rights over it, and none of the host's", async () => {
  const pool = open()
  const shell =
    "grep -E '^(CapEff|Seccomp|NoNewPrivs):' /proc/self/status; unshare -n true; echo $?"
  const { preview } = await pool.run({ shell })
  expect(preview).toMatch(/^CapEff:\t0+\nNoNewPrivs:\t1\nSeccomp:\t2\n/)
  expect(preview.trimEnd().split("\n").at(-1)).not.toBe("0")
})

test("where no network can be made to share each command has one of its own, and runs", async () => {
  const pool = open({ newNetwork: () => undefined })
  await pool.start({ argv: server }, { ready: PORT, readySeconds: 60 })
  expect((await pool.run({ argv: client(PORT) })).preview).toBe("ECONNREFUSED\n")
})

function connects(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}`, { signal: AbortSignal.timeout(5_000) })
    .then(() => true)
    .catch(error => !String(error.cause?.code ?? "").includes("ECONNREFUSED"))
}
