import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { run } from "../support/children.mjs"

/**
 * How often any process of a run asked for the address of a host name: of the system, which reads
 * the hosts file first, or of a name server by itself. The kernel is the witness, through strace.
 *
 * @param {ReturnType<typeof import("./runs.mjs")["createRuns"]>["carryOut"]} carryOut
 * @returns {Promise<{ names: number, details: string[] }>} NaN where nothing can be traced
 */
export async function lookedUp(carryOut) {
  const folder = await mkdtemp(join(tmpdir(), "harness-bench-trace-"))
  const trace = join(folder, "trace")
  const strace = ["strace", "-f", "-qq", "-o", trace, "-e", "trace=connect,sendto,sendmmsg,openat"]

  try {
    const { code } = await run("strace", [...strace.slice(1), "true"], { captured: true })
    if (code !== 0) return { names: Number.NaN, details: ["strace does not run here"] }

    await carryOut({ who: "ours", steps: 3, through: strace })
    const lines = (await readFile(trace, "utf8")).split("\n")
    const details = lines.filter(line => /"\/etc\/hosts"|htons\(53\)/.test(line))
    return { names: details.length, details }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
