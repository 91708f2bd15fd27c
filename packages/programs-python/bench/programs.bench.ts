import { afterAll, beforeAll, expect, test } from "vitest"
import { snapshotCache, startPython, type TestSession } from "../test/support/python.ts"
import { type BarePipe, startBarePipe } from "./support/bare-pipe.ts"

const KIBIBYTES_64 = 65_536
const text = "z".repeat(KIBIBYTES_64)

let python: TestSession
let bare: BarePipe

beforeAll(async () => {
  bare = startBarePipe()
  python = await startPython(snapshotCache, { program_calls: 1_000_000 })
})
afterAll(async () => {
  bare.end()
  await python.session.dispose()
})

async function program(source: string): Promise<string> {
  const { end, stdout } = await python.run(source, {
    call: async (_name, { value }) => ({ ok: value === 1 ? { n: 1 } : { text } }),
  })
  if (end.status !== "ok") throw new Error(`${end.status}: ${end.error}`)
  return stdout
}

/** The quickest and the median of many calls, in microseconds, as the program itself sees them. */
async function timeCalls(call: string, count: number): Promise<{ quickest: number; p50: number }> {
  const told = await program(`import time
took = []
for _ in range(${count}):
    start = time.perf_counter_ns()
    ${call}
    took.append((time.perf_counter_ns() - start) / 1000)
took.sort()
print(took[0], took[len(took) // 2])`)
  const [quickest = 0, p50 = 0] = told.split(" ").map(Number)
  return { quickest, p50 }
}

// The quickest of each is compared: the others measure what else the machine does.

test.each([
  { what: "an answer of a few bytes", call: "echo(1)", bytes: 16, count: 10_000, times: 15 },
  { what: "64 KiB", call: "echo(2)", bytes: KIBIBYTES_64, count: 1_000, times: 20 },
])(
  "a call for $what costs at most $times times a bare round trip",
  async ({ what, call, bytes, count, times }) => {
    const floor = await bare.quickest(count, bytes)
    const { quickest, p50 } = await timeCalls(call, count)
    const shown = [quickest, p50, floor].map(microseconds => microseconds.toFixed(0))
    console.log(`${what}: ${shown[0]} us (median ${shown[1]}), a bare round trip ${shown[2]} us`)
    expect(quickest).toBeLessThan(floor * times)
  },
  60_000,
)

test("a program that does nothing costs at most 25 times a bare round trip", async ({ bench }) => {
  const result = await bench.compare(
    bench("bare", async () => void (await bare.quickest(1, 16))),
    bench("program", async () => void (await program(""))),
    { time: 1_000 },
  )
  const times = result.get("program").latency.min / result.get("bare").latency.min
  console.log(`an empty program: ${times.toFixed(1)} times a bare round trip`)
  expect(times).toBeLessThan(25)
}, 60_000)
