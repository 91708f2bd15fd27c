import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { ProcessReceipt } from "@harness/protocol"
import { afterAll, beforeAll, expect, test } from "vitest"
import * as z from "zod"
import { tagged, until } from "../support/pool.ts"

/** 20 show it well; fewer are enough to find that it broke. */
const ROUNDS = Number(process.env.HARNESS_TEST_ROUNDS ?? 6)
const SIDE_BY_SIDE = 4

/** Of a worker of the fixture: it runs 12 processes in 4 trees. */
const Planted = z.object({
  tag: z.string(),
  pid: z.int(),
  folder: z.string(),
  root: z.string(),
  artifacts: z.string(),
})
type Planted = z.infer<typeof Planted>

type Fall = { victim: "controller" | "worker" | "both"; milliseconds: number }

let cache: string

beforeAll(() => {
  cache = mkdtempSync(join(tmpdir(), "harness-cache-"))
})

afterAll(() => {
  rmSync(cache, { recursive: true, force: true })
})

test.for(["off", "os"])(
  "kill -9 of controller, worker, or both leaves no process, and receipts that know it; sandbox %s",
  { timeout: 240_000 },
  async sandbox => {
    const falls: Fall[] = []
    let rounds = 0
    const play = async () => {
      while (rounds < ROUNDS) {
        rounds += 1
        falls.push(...(await round(sandbox)))
      }
    }
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, play))

    const middle = (victim: Fall["victim"]) => {
      const times = falls.filter(fall => fall.victim === victim).map(fall => fall.milliseconds)
      expect(times).toHaveLength(ROUNDS)
      return times.toSorted((one, other) => one - other)[Math.floor(ROUNDS / 2)]
    }
    expect(middle("controller")).toBeLessThan(5_000)
    expect(middle("worker")).toBeLessThan(1_000)
    expect(middle("both")).toBeLessThan(1_000)
  },
)

/** A controller with three workers: one falls by itself, one with it, one because it fell. */
async function round(sandbox: string): Promise<Fall[]> {
  const { controller, workers } = await plant(sandbox)
  const [alone, together, orphaned] = workers
  const falls = await fall([alone.pid], [["worker", alone]])
  const both = [controller, together.pid]
  falls.push(
    ...(await fall(both, [
      ["both", together],
      ["controller", orphaned],
    ])),
  )
  return falls
}

async function plant(sandbox: string) {
  const script = fileURLToPath(new URL("../fixtures/trees.ts", import.meta.url))
  const child = spawn(process.execPath, ["--conditions=@harness/source", script, sandbox], {
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
    stdio: ["ignore", "pipe", "inherit"],
  })
  const [line] = await once(child.stdout, "data")
  const workers = z.tuple([Planted, Planted, Planted]).parse(JSON.parse(String(line)))
  return { controller: child.pid ?? 0, workers }
}

/** Kills, and measures for each worker how long anything of it was still there. */
async function fall(
  killed: readonly number[],
  workers: readonly [Fall["victim"], Planted][],
): Promise<Fall[]> {
  for (const [, { tag }] of workers) expect(tagged(tag).length).toBeGreaterThanOrEqual(12)
  const killedAtMs = performance.now()
  for (const pid of killed) process.kill(pid, "SIGKILL")

  return Promise.all(
    workers.map(async ([victim, worker]) => {
      await until(() => tagged(worker.tag).length === 0)
      const milliseconds = performance.now() - killedAtMs
      await until(() => !existsSync(`/proc/${worker.pid}`) && receiptsOf(worker).length === 4)
      for (const receipt of receiptsOf(worker)) {
        expect(receipt).toMatchObject({
          status: "session_closed",
          exit_code: null,
          output_bytes: 3,
        })
      }
      for (const path of [worker.folder, worker.root]) rmSync(path, { recursive: true })
      return { victim, milliseconds }
    }),
  )
}

function receiptsOf({ artifacts }: Planted): ProcessReceipt[] {
  const processes = join(artifacts, "processes")
  return readdirSync(processes).flatMap(id => {
    const file = join(processes, id, "receipt.json")
    return existsSync(file) ? ProcessReceipt.parse(JSON.parse(readFileSync(file, "utf8"))) : []
  })
}
