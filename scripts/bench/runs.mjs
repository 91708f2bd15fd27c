import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { problem } from "../support/problem.mjs"
import { execute } from "./execute.mjs"
import { canRead, machineNow } from "./proc.mjs"
import { median } from "./statistics.mjs"

/**
 * @typedef {"floor" | "ours"} Who
 * @typedef {{ who: Who, style?: "tools" | "programs", steps: number, sandbox?: "os" | "off", command?: string, source?: string, sampleEveryMs?: number, through?: string[] }} Task
 *   sandbox: of harness, off unless it is named; command: of each step in tools style; source: the program of each step in programs style;
 *   through: a command to start it under
 * @typedef {Awaited<ReturnType<ReturnType<typeof createRuns>["carryOut"]>>} Run
 */

const floor = fileURLToPath(new URL("./floor.mjs", import.meta.url))
const prompt = "Run the steps that are needed, then say that you are done."

/** Other load in cores that a run may have beside it before it is done again. */
const bearableCores = 0.3

/**
 * Runs what is measured, one at a time, each when the machine has come to rest.
 *
 * @param {object} options
 * @param {import("./installed.mjs").Installed} options.installed
 * @param {Awaited<ReturnType<typeof import("./scripted-model.mjs").startScriptedModel>>} options.model
 * @param {number} options.restMs how long to wait for the machine to come to rest, before one run
 * @param {number} options.restInAllMs and in all
 * @param {number} options.attempts how often to try for a run without other load
 */
export function createRuns({ installed, model, restMs, restInAllMs, attempts }) {
  const { scratch, project, nodePath, harness } = installed
  const env = { ...installed.env, OPENAI_BASE_URL: model.baseUrl }
  const ownPids = [process.pid, model.pid]
  const otherLoad = /** @type {number[]} */ ([])
  let count = 0
  let waitedMs = 0

  /**
   * Carries a task out, and judges nothing but that it was done: each call ran, each result came.
   *
   * @param {Task} task
   */
  const once = async task => {
    const { who, style = "tools", steps, command = "echo ok-{n}", source = "", through = [] } = task
    const { sandbox = "off" } = task
    const called = style === "tools" ? { command } : { language: "python", source }
    await model.play({ steps, tool: style === "tools" ? "bash" : "run_program", arguments: called })

    const temporaryFolder = await mkdtemp(join(scratch, "temporary-"))
    const log = join(scratch, `run-${++count}.log`)
    const options = ["--folder", ".", "--style", style, "--approve", "none", "--sandbox", sandbox]
    const start =
      who === "floor"
        ? [nodePath, floor, prompt]
        : [...harness, "run", prompt, "--json", "--max-steps", `${steps + 1}`, ...options]
    await rest()
    const execution = await execute([...through, ...start], {
      ...{ cwd: project, env, temporaryFolder, log, ownPids },
      ...(task.sampleEveryMs !== undefined && { sampleEveryMs: task.sampleEveryMs }),
      onSpawn: root => void model.watch({ root, temporaryFolder }),
    })

    const record = await model.record()
    const left = await readdir(temporaryFolder, { recursive: true })
    await rm(temporaryFolder, { recursive: true, force: true })
    const wrong = whatWentWrong(record.exchanges, execution.code, steps)
    if (wrong !== undefined) {
      const printed = (await readFile(log, "utf8")).slice(-2_000)
      throw problem(`a run of ${who} with ${steps} steps failed: ${wrong}\n${printed}`)
    }
    return { ...figures(record, execution, steps), left }
  }

  /** @param {Task} task */
  const carryOut = async task => {
    let best = await once(task)
    for (let attempt = 1; attempt < attempts && best.otherCores > bearableCores; attempt += 1) {
      const again = await once(task)
      if (again.otherCores < best.otherCores) best = again
    }
    otherLoad.push(best.otherCores)
    return best
  }

  /**
   * A command that asks no model, to its end.
   *
   * @param {string[]} command
   */
  const time = async command => {
    const log = join(scratch, `run-${++count}.log`)
    await rest()
    const { spawnedAtMs, endedAtMs, code } = await execute(command, {
      ...{ cwd: project, env, temporaryFolder: scratch, log, ownPids },
    })
    if (code !== 0) throw problem(`${command.join(" ")} ended with ${code}`)
    return { tookMs: endedAtMs - spawnedAtMs, printed: await readFile(log, "utf8") }
  }

  /** Waits until hardly anybody else computes, but not for ever. */
  const rest = async () => {
    const until = performance.now() + restMs
    while (canRead && performance.now() < until && waitedMs < restInAllMs) {
      const before = machineNow(ownPids)
      await new Promise(resolve => setTimeout(resolve, 200))
      if (otherCores(before, machineNow(ownPids), 0) < 0.15) return
      waitedMs += 200
    }
  }

  return { carryOut, time, nodePath, harness, otherLoad: () => otherLoad }
}

/**
 * @param {import("./server.mjs").Exchange[]} exchanges
 * @param {number | null} code
 * @param {number} steps
 */
function whatWentWrong(exchanges, code, steps) {
  const told = exchanges.find(each => each.problem !== undefined)?.problem
  if (told !== undefined) return told
  if (exchanges.length !== steps + 1) return `${exchanges.length} requests came`
  return code === 0 ? undefined : `it ended with ${code}`
}

/**
 * @param {import("./server.mjs").Recorded} record
 * @param {import("./execute.mjs").Execution} execution
 * @param {number} steps
 */
function figures({ exchanges, weights }, execution, steps) {
  const { spawnedAtMs, endedAtMs, machine, peak, stray } = execution
  const first = exchanges[0]
  const last = exchanges.at(-1)
  const [early, late] = [weights[0], weights.at(-1)]
  const gaps = exchanges
    .slice(1)
    .map((each, index) => each.arrivedAtMs - (exchanges[index]?.endedAtMs ?? Number.NaN))
  const measured = (/** @type {number | undefined} */ value) => value ?? Number.NaN

  return {
    firstRequestMs: measured(first?.arrivedAtMs) - spawnedAtMs,
    startCpuMs: measured(early?.cpuMs),
    gapMs: median(gaps),
    firstGapsMs: median(gaps.slice(0, 10)),
    lastGapsMs: median(gaps.slice(-10)),
    cpuPerStepMs: (measured(late?.cpuMs) - measured(early?.cpuMs)) / steps,
    exitMs: endedAtMs - measured(last?.endedAtMs),
    firstBytes: measured(first?.bytes),
    growthBytes: (measured(last?.bytes) - measured(first?.bytes)) / steps,
    peak,
    stray,
    told: last?.told ?? "",
    otherCores: machine && late ? otherCores(machine, late.machine, late.cpuMs) : Number.NaN,
  }
}

/**
 * How many cores programs that are none of ours used meanwhile.
 *
 * @param {{ atMs: number, busyMs: number, ownMs: number }} before
 * @param {{ atMs: number, busyMs: number, ownMs: number }} after
 * @param {number} runMs CPU time of the run itself
 */
function otherCores(before, after, runMs) {
  const busyMs = after.busyMs - before.busyMs - (after.ownMs - before.ownMs) - runMs
  return Math.max(0, busyMs) / (after.atMs - before.atMs)
}
