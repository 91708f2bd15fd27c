// The same command without the sandbox and in it, in turns, by the worker's own pool; then sixteen at
// once. Prints the medians in milliseconds. A contained command's sandbox is made while the one before
// it runs, as it is made while a model thinks: the time of both is in the difference.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sandboxFor } from "../../packages/sandbox/src/index.ts"
import { makePool, sandboxOptions } from "../../packages/worker/test/support/pool.ts"
import { median } from "./statistics.mjs"

const rounds = Number(process.argv[2])
const side = 16

const folder = mkdtempSync(join(tmpdir(), "harness-contained-"))
const provider = sandboxFor("os", sandboxOptions(folder))
const pools = { off: makePool(), os: makePool({ sandbox: { provider, network: false } }) }
const one = { off: [0], os: [0] }
const many = { off: [0], os: [0] }

/** @param {keyof typeof pools} which */
async function command(which) {
  const { receipt } = await pools[which].run({ shell: "echo ok" })
  if (receipt.exit_code !== 0) throw new Error(`not run: ${JSON.stringify(receipt)}`)
}

/** @param {() => Promise<unknown>} work */
async function timed(work) {
  const began = performance.now()
  await work()
  return performance.now() - began
}

// What is made with the first command is not paid by the others.
for (const which of /** @type {const} */ (["off", "os"])) await command(which)
for (let round = 0; round < rounds; round += 1) {
  for (const which of /** @type {const} */ (["off", "os"])) {
    one[which][round] = await timed(() => command(which))
  }
}
for (let round = 0; round < rounds / 4; round += 1) {
  for (const which of /** @type {const} */ (["off", "os"])) {
    const all = Array.from({ length: side }, () => which)
    many[which][round] = await timed(() => Promise.all(all.map(command)))
  }
}
for (const pool of Object.values(pools)) await pool.dispose()
rmSync(folder, { recursive: true })

const figures = [median(one.off), median(one.os), median(many.off), median(many.os)]
process.stdout.write(`off=${figures[0]} os=${figures[1]} off16=${figures[2]} os16=${figures[3]}\n`)
