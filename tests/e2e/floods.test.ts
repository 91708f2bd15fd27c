// A command that prints without end: what is kept of it, and what it costs the two processes it goes through.
import { createHash } from "node:crypto"
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { ScriptedReply } from "../support/scripted-server.ts"
import { type Homes, prepareHomes } from "./support/homes.ts"
import { startJob } from "./support/job.ts"
import { ofType, readOnlyLog } from "./support/log.ts"
import { descendantsOf, memoryOf, processesWith } from "./support/processes.ts"

let homes: Homes
beforeAll(async () => {
  homes = await prepareHomes()
})
afterAll(() => homes.remove())

const MiB = 1_048_576
const kept = createHash("sha256")
  .update(Buffer.alloc(16 * MiB))
  .digest("hex")

const bash = (command: string, background = false) => ({
  tool: "bash",
  arguments: { command, timeout: 100, ...(background && { background }) },
})

test.for([
  { floods: "one flood of 1 GiB", count: 1 },
  { floods: "sixteen of them at once", count: 16 },
])("of $floods 16 MiB are kept, exactly, and no process grows by 32 MiB", async ({ count }) => {
  const home = await homes.fresh()
  await home.write({ "config.jsonc": JSON.stringify({ limits: { evidence_bytes: 1_024 * MiB } }) })
  // The number is what they are known by.
  const bytes = `${1_073_741_824 + process.pid}`
  const flood = `head -c ${bytes} /dev/zero`
  const together = Array.from({ length: count }, () => bash(flood, true))

  let growth: () => Record<string, number> = () => ({})
  let grown: Record<string, number> = {}
  const script = async (n: number): Promise<ScriptedReply> => {
    if (n === 0) growth = await watchMemory(running.pid)
    if (n === 0) return { calls: count === 1 ? [bash(flood)] : together }
    while ((await processesWith(bytes)).length > 0) await setTimeout(20)
    grown = growth()
    return { text: "Done." }
  }
  const job = await startJob({ home, script: (_request, n) => script(n) })
  const running = job.start("-p")
  expect(await running.ended).toMatchObject({ exitCode: 0, stderr: "" })

  const { folder, events } = await readOnlyLog(home)
  const receipts = [
    ...ofType(events, "action_ended").map(({ receipt }) => receipt.process),
    ...ofType(events, "process_ended").map(({ process }) => process),
  ].filter(receipt => receipt?.status === "output_limit")
  expect(receipts).toHaveLength(count)
  for (const receipt of receipts) {
    expect(receipt).toMatchObject({ output_bytes: 16 * MiB, output_sha256: kept })
    const file = join(folder, "artifacts", "processes", receipt?.id ?? "", "output")
    expect(statSync(file).size).toBe(16 * MiB)
  }
  for (const [process, bytes] of Object.entries(grown)) {
    expect(bytes, process).toBeLessThan(32 * MiB)
  }
})

/** Tells by how much the most that controller and worker used exceeds what they use now. */
async function watchMemory(controller: number): Promise<() => Record<string, number>> {
  const children = await descendantsOf(controller)
  const worker = children.find(id => commandOf(id).includes("worker")) ?? 0
  const watched = Object.entries({ controller, worker })
  const before = watched.map(([name, pid]) => {
    // Forgets the peak until now.
    writeFileSync(`/proc/${pid}/clear_refs`, "5")
    return { name, pid, bytes: memoryOf(pid, "VmRSS") }
  })
  return () =>
    Object.fromEntries(before.map(({ name, pid, bytes }) => [name, memoryOf(pid, "VmHWM") - bytes]))
}

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, "utf8")
}
