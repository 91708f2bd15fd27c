import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { openLog } from "../test/conversation/support/open-log.ts"
import { turn } from "../test/conversation/support/turn.ts"

/** What one step writes. */
const step = turn.slice(2, 9)

// The best round of each is compared: the others measure what else the machine does.

/** A log and, as the floor, a file beside it that gets as many bytes in as many writes. */
function opened() {
  const folder = mkdtempSync(join(tmpdir(), "harness-bench-"))
  const { log, release } = openLog(join(folder, "c0ffee000001"))
  const floor = openSync(join(folder, "floor"), "a")
  onTestFinished(async () => {
    await release()
    closeSync(floor)
    rmSync(folder, { recursive: true })
  })
  const bytes = Math.round(JSON.stringify(step).length / step.length) + 120
  return { log, floor, line: Buffer.from(`${"x".repeat(bytes)}\n`) }
}

test("a step's seven records cost at most twelve times the bare writes", async ({ bench }) => {
  const { log, floor, line } = opened()
  const result = await bench.compare(
    bench("bare", () => {
      for (const _record of step) writeSync(floor, line)
    }),
    bench("log", () => {
      for (const record of step) log.append([record], { sync: false })
    }),
    { time: 500 },
  )
  const times = result.get("log").latency.min / result.get("bare").latency.min
  console.log(`seven records: ${times.toFixed(1)} times the bare writes`)
  expect(times).toBeLessThan(12)
})

test("synced once, they cost at most three times the bare writes and sync", async ({ bench }) => {
  const { log, floor, line } = opened()
  const result = await bench.compare(
    bench("bare", () => {
      for (const _record of step) writeSync(floor, line)
      fdatasyncSync(floor)
    }),
    bench("log", () => {
      step.forEach((record, index) => {
        log.append([record], { sync: index === step.length - 1 })
      })
    }),
    { time: 500 },
  )
  const times = result.get("log").latency.min / result.get("bare").latency.min
  console.log(`seven records, synced: ${times.toFixed(1)} times the bare writes`)
  expect(times).toBeLessThan(3)
})
