import { spawn } from "node:child_process"
import { closeSync, openSync } from "node:fs"
import { canRead, machineNow, monotonicMs, processesOf, pssBytesOf } from "./proc.mjs"

const hangMs = 180_000

/**
 * @typedef {{ bytes: number, processes: { command: string, bytes: number }[] }} Memory
 * @typedef {{ spawnedAtMs: number, endedAtMs: number, code: number | null, peak: Memory, machine: { atMs: number, busyMs: number, ownMs: number } | undefined, stray: string[] }} Execution
 *   times of the monotonic clock; machine: how it was at the spawn; peak: only when sampled
 */

/**
 * Runs one command to its end, in a session of its own. What it leaves running is named, and ended.
 *
 * @param {string[]} command
 * @param {object} options
 * @param {string} options.cwd
 * @param {Record<string, string>} options.env
 * @param {string} options.temporaryFolder
 * @param {string} [options.log] a file for what it prints
 * @param {number[]} options.ownPids processes of the bench itself
 * @param {number} [options.sampleEveryMs] how often to look at its memory; that disturbs its timing
 * @param {(root: number) => void} [options.onSpawn]
 * @returns {Promise<Execution>}
 */
export async function execute([program = "", ...args], options) {
  const { cwd, env, temporaryFolder, log, ownPids, sampleEveryMs, onSpawn } = options
  const output = log === undefined ? "ignore" : openSync(log, "w")
  const machine = canRead ? machineNow(ownPids) : undefined

  const spawnedAtMs = monotonicMs()
  const child = spawn(program, args, {
    cwd,
    env: { ...env, TMPDIR: temporaryFolder },
    stdio: ["ignore", output, output],
    detached: true,
  })
  const root = child.pid ?? 0
  const run = { root, temporaryFolder }
  const kill = () => endAll(run)
  // Before whoever removes the folder that it works in.
  process.prependOnceListener("exit", kill)
  const hang = setTimeout(kill, hangMs)
  onSpawn?.(root)
  const sampling = sampleEveryMs && canRead ? sampled(run, sampleEveryMs) : undefined

  const { code, endedAtMs } = await ended(child)
  clearTimeout(hang)
  process.off("exit", kill)
  const peak = sampling?.stop() ?? { bytes: Number.NaN, processes: [] }
  if (typeof output === "number") closeSync(output)
  return { spawnedAtMs, endedAtMs, code, peak, machine, stray: canRead ? await strayOf(run) : [] }
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Promise<{ code: number | null, endedAtMs: number }>}
 */
function ended(child) {
  return new Promise((resolve, reject) => {
    child.on("error", reject)
    child.on("exit", code => resolve({ code, endedAtMs: monotonicMs() }))
  })
}

/**
 * @param {{ root: number, temporaryFolder: string }} run
 * @param {number} everyMs
 */
function sampled(run, everyMs) {
  /** @type {Memory} */
  let peak = { bytes: 0, processes: [] }
  const timer = setInterval(() => {
    const processes = processesOf(run).map(each => ({
      command: each.command,
      bytes: pssBytesOf(each.pid),
    }))
    const bytes = processes.reduce((sum, each) => sum + each.bytes, 0)
    if (bytes > peak.bytes) peak = { bytes, processes }
  }, everyMs)

  return {
    stop() {
      clearInterval(timer)
      return peak
    },
  }
}

const settleMs = 200

/** @param {{ root: number, temporaryFolder: string }} run */
async function strayOf(run) {
  await new Promise(resolve => setTimeout(resolve, settleMs))
  return endAll(run)
}

/**
 * @param {{ root: number, temporaryFolder: string }} run
 * @returns {string[]} the names of those that ran
 */
function endAll(run) {
  if (!canRead) return []
  const living = processesOf(run).filter(each => each.state !== "Z")
  for (const { pid } of living) {
    try {
      process.kill(pid, "SIGKILL")
    } catch {
      // It ended by itself in the meantime.
    }
  }
  return living.map(each => each.command)
}
