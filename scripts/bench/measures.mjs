import { fileURLToPath } from "node:url"
import { lookedUp } from "./lookups.mjs"
import { largest, median } from "./statistics.mjs"

/**
 * @typedef {ReturnType<typeof import("./runs.mjs")["createRuns"]>} Runs
 * @typedef {{ value: number, floor?: number }} Figure floor: what it is to be compared with
 * @typedef {{ figures: Record<string, Figure>, details: object }} Measured the figures by the names
 *   of `bounds.mjs`; details: what a closer look may want, only kept in the results' file
 */

/**
 * What can be measured, by the name that `--only` takes. Floor and harness take turns, so that what
 * else the machine does meets both.
 *
 * @type {Record<string, (runs: Runs, repetitions: number) => Promise<Measured>>}
 */
export const measures = {
  async start({ time, nodePath, harness }, repetitions) {
    const commands = {
      node: [nodePath, "-e", "0"],
      version: [...harness, "--version"],
      help: [...harness, "--help"],
    }
    const times = { node: [0], version: [0], help: [0] }
    for (let round = 0; round < 6 + 3 * repetitions; round += 1) {
      times.node[round] = (await time(commands.node)).tookMs
      times.version[round] = (await time(commands.version)).tookMs
      times.help[round] = (await time(commands.help)).tookMs
    }

    const floor = median(times.node)
    return {
      figures: {
        version: { value: median(times.version), floor },
        help: { value: median(times.help), floor },
      },
      details: times,
    }
  },

  async steps({ carryOut }, repetitions) {
    const { floor, ours } = await inTurns(carryOut, repetitions, { steps: 200 })
    const both = compared(floor, ours)
    const left = ours.flatMap(each => each.left)
    return {
      figures: {
        first_request: both(each => each.firstRequestMs),
        start_cpu: both(each => each.startCpuMs),
        gap: both(each => each.gapMs),
        late_gap: {
          value: median(ours.map(each => each.lastGapsMs)),
          floor: median(ours.map(each => each.firstGapsMs)),
        },
        step_cpu: both(each => each.cpuPerStepMs),
        exit: both(each => each.exitMs),
        first_bytes: both(each => each.firstBytes),
        growth: both(each => each.growthBytes),
        stray: { value: ours.flatMap(each => each.stray).length },
        temporary: { value: left.length },
      },
      details: { floor, ours },
    }
  },

  async interrupt({ time, nodePath, harness }) {
    const { printed } = await time([nodePath, interrupt, ...harness])
    const found = numbersIn(printed, ["interrupt"])
    return { figures: { interrupt: { value: found.interrupt } }, details: { printed } }
  },

  async terminal({ time, nodePath, harness }, repetitions) {
    const floor = []
    for (let round = 0; round < 3 + 3 * repetitions; round += 1) {
      floor.push((await time([nodePath, "-e", "0"])).tookMs)
    }
    const { printed } = await time([nodePath, terminal, ...harness])
    const found = numbersIn(printed, ["first_prompt"])
    const figure = { value: found.first_prompt, floor: median(floor) }
    return { figures: { first_prompt: figure }, details: { printed, floor } }
  },

  async memory({ carryOut }, repetitions) {
    const sampleEveryMs = 25
    const few = await inTurns(carryOut, repetitions, { steps: 25, sampleEveryMs })
    const many = await inTurns(carryOut, repetitions, { steps: 100, sampleEveryMs })
    const peakOf = (/** @type {import("./runs.mjs").Run[]} */ runs) =>
      largest(runs.map(each => each.peak.bytes))
    return {
      figures: {
        memory_25: { value: peakOf(few.ours), floor: peakOf(few.floor) },
        memory_100: { value: peakOf(many.ours), floor: peakOf(many.floor) },
        memory_growth: { value: peakOf(many.ours), floor: peakOf(few.ours) },
      },
      details: { few: few.ours.map(each => each.peak), many: many.ours.map(each => each.peak) },
    }
  },

  async programs({ carryOut }, repetitions) {
    const source = 'print(run_command("echo ok-{n}")["output"])'
    const style = /** @type {const} */ ("programs")
    const task = { who: /** @type {const} */ ("ours"), style, steps: 25, source, sampleEveryMs: 25 }
    // Of all runs, the very first one makes the interpreter's snapshot.
    const first = await carryOut(task)
    const runs = []
    for (let round = 0; round < repetitions; round += 1) runs.push(await carryOut(task))
    return {
      figures: {
        programs_first_bytes: { value: median(runs.map(each => each.firstBytes)) },
        programs_memory: { value: largest(runs.map(each => each.peak.bytes)) },
        programs_stray: { value: runs.flatMap(each => [...each.stray, ...each.left]).length },
      },
      details: { first, runs },
    }
  },

  async reading({ time, carryOut, nodePath }, repetitions) {
    const task = { style: /** @type {const} */ ("programs"), steps: 1, source: reader }
    const floor = []
    const ours = []
    for (let round = 0; round < repetitions; round += 1) {
      floor.push(percentilesIn((await time([nodePath, readFloor, "asks", "window.txt"])).printed))
      ours.push(percentilesIn((await carryOut({ who: "ours", ...task })).told))
    }
    const both = compared(floor, ours)
    return {
      figures: { read_p50: both(each => each.p50), read_p95: both(each => each.p95) },
      details: { floor, ours },
    }
  },

  async command({ time, nodePath }, repetitions) {
    const source = [nodePath, "--conditions=@harness/source"]
    const commands = []
    const floods = []
    for (let round = 0; round < repetitions; round += 1) {
      commands.push(numbersIn((await time([...source, command])).printed, ["ours", "bare"]))
      floods.push(numbersIn((await time([...source, flood])).printed, ["one", "sixteen"]))
    }
    const floor = median(commands.map(each => each.bare))
    return {
      figures: {
        command: { value: median(commands.map(each => each.ours - each.bare)), floor },
        flood: { value: median(floods.map(each => each.one)) },
        floods: { value: median(floods.map(each => each.sixteen)) },
      },
      details: { commands, floods },
    }
  },

  async sandbox({ time, carryOut, nodePath }, repetitions) {
    const pool = [nodePath, "--conditions=@harness/source", contained, "20"]
    const pools = /** @type {Contained[]} */ ([])
    for (let round = 0; round < repetitions; round += 1) {
      pools.push(containedIn((await time(pool)).printed))
    }
    const { floor, ours } = await inTurns(carryOut, repetitions, { steps: 100, sandbox: "os" })
    const of = (/** @type {(found: Contained) => number} */ read) => median(pools.map(read))
    return {
      figures: {
        sandbox_command: { value: of(each => each.os - each.off), floor: of(each => each.off) },
        sandbox_parallel: { value: of(each => each.os16), floor: of(each => each.off16) },
        sandbox_gap: compared(floor, ours)(each => each.gapMs),
      },
      details: { pools, floor, ours },
    }
  },

  async lookups({ carryOut }) {
    const { names, details } = await lookedUp(carryOut)
    return { figures: { lookups: { value: names } }, details }
  },
}

const contained = fileURLToPath(new URL("./contained.mjs", import.meta.url))

/** @typedef {{ off: number, os: number, off16: number, os16: number }} Contained milliseconds */

/**
 * @param {string} text
 * @returns {Contained}
 */
function containedIn(text) {
  const [, off, os, off16, os16] =
    /off=([\d.]+) os=([\d.]+) off16=([\d.]+) os16=([\d.]+)/.exec(text) ?? []
  return { off: Number(off), os: Number(os), off16: Number(off16), os16: Number(os16) }
}

const readFloor = fileURLToPath(new URL("./floor-read.mjs", import.meta.url))

/** The program measures itself, as no one else can. */
const reader = `
import time
times = []
for round in range(500):
    began = time.perf_counter()
    window = read_file("window.txt", limit=64000)
    times.append((time.perf_counter() - began) * 1000)
    assert window["bytes"] == 64000
times.sort()
print(f"ok-{n} p50={times[250]:.3f} p95={times[475]:.3f}")
`

const terminal = fileURLToPath(new URL("./terminal.mjs", import.meta.url))
const interrupt = fileURLToPath(new URL("./interrupt.mjs", import.meta.url))
const command = fileURLToPath(new URL("./command.mjs", import.meta.url))
const flood = fileURLToPath(new URL("./flood.mjs", import.meta.url))

/**
 * @template {string} Name
 * @param {string} text
 * @param {Name[]} names
 * @returns {Record<Name, number>} NaN for what the text does not have
 */
function numbersIn(text, names) {
  const read = (/** @type {string} */ name) =>
    Number(new RegExp(`\\b${name}=([\\d.]+)`).exec(text)?.[1] ?? Number.NaN)
  return /** @type {Record<Name, number>} */ (
    Object.fromEntries(names.map(name => [name, read(name)]))
  )
}

/** @param {string} text */
function percentilesIn(text) {
  const [, p50, p95] = /p50=([\d.]+) p95=([\d.]+)/.exec(text) ?? []
  return { p50: Number(p50), p95: Number(p95) }
}

/**
 * @param {Runs["carryOut"]} carryOut
 * @param {number} repetitions
 * @param {Omit<import("./runs.mjs").Task, "who">} task
 */
async function inTurns(carryOut, repetitions, task) {
  const floor = []
  const ours = []
  for (let round = 0; round < repetitions; round += 1) {
    floor.push(await carryOut({ who: "floor", ...task }))
    ours.push(await carryOut({ who: "ours", ...task }))
  }
  return { floor, ours }
}

/**
 * @template Found
 * @param {Found[]} floor
 * @param {Found[]} ours
 * @returns {(read: (found: Found) => number) => Figure}
 */
function compared(floor, ours) {
  return read => ({ value: median(ours.map(read)), floor: median(floor.map(read)) })
}
