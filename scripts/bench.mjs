// `pnpm bench [--quick] [--only NAME] [--keep] [--from FOLDER]`: what harness costs.
//
// First the packages' own benchmarks (vitest), then whole processes: what is checked out is built,
// packed and installed into a scratch folder, and works for a scripted model on this machine. Beside
// each figure stands the floor's, a loop of fetch and spawn that took turns with it, and the bound.
//
//   --quick   few repetitions, and no long waits for the machine to come to rest
//   --only    one of: micro, start, steps, interrupt, terminal, memory, programs, reading, command, sandbox, lookups
//   --keep    leave the scratch folder there; its path is printed
//   --from    measure what an earlier --keep left, instead of building
//
// Other load on the machine is waited out, within limits, and told. A multiple of the floor that is
// broken ends the bench with 1, and so does a size. A time that is over is told as `slow`, and breaks
// nothing, while the floor in the same run is slow in proportion. The numbers go to bench-results/.
import { rmSync } from "node:fs"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { installedIn, installInto } from "./bench/installed.mjs"
import { measures } from "./bench/measures.mjs"
import { circumstances, keep, lastKept, print } from "./bench/report.mjs"
import { createRuns } from "./bench/runs.mjs"
import { startScriptedModel } from "./bench/scripted-model.mjs"
import { median } from "./bench/statistics.mjs"
import { prepare, root } from "./bootstrap.mjs"
import { run, runInOurPlace } from "./support/children.mjs"
import { problem, runScript } from "./support/problem.mjs"

const results = join(root, "bench-results")
const usage = {
  quick: { type: /** @type {const} */ ("boolean"), default: false },
  only: { type: /** @type {const} */ ("string") },
  keep: { type: /** @type {const} */ ("boolean"), default: false },
  from: { type: /** @type {const} */ ("string") },
}
const names = ["micro", ...Object.keys(measures)]

await runScript(async () => {
  const options = parse(process.argv.slice(2))
  const prepared = await prepare()
  if (prepared.nodePath !== process.execPath) {
    return runInOurPlace(prepared.nodePath, process.argv.slice(1))
  }

  const isAsked = (/** @type {string} */ name) =>
    options.only === undefined || options.only === name
  const micro = isAsked("micro") ? await vitestBench(prepared) : 0
  const chosen = Object.entries(measures).filter(([name]) => isAsked(name))
  if (chosen.length === 0) return micro

  const over = await wholeProcesses(chosen, options, prepared)
  return micro === 0 && over.length === 0 ? 0 : 1
})

/** @param {string[]} args */
function parse(args) {
  const { only, from, ...flags } = optionsIn(args)
  if (only !== undefined && !names.includes(only)) {
    throw problem(`there is no ${only} to measure; there are: ${names.join(", ")}`)
  }
  return { ...flags, only, from: from === undefined ? undefined : resolve(from) }
}

/** @param {string[]} args */
function optionsIn(args) {
  try {
    return parseArgs({ args: args.filter(each => each !== "--"), options: usage }).values
  } catch (error) {
    throw problem(`${error instanceof Error ? error.message : error}; see scripts/bench.mjs`)
  }
}

/** @param {{ nodePath: string, env: NodeJS.ProcessEnv }} prepared */
async function vitestBench({ nodePath, env }) {
  const program = join(root, "node_modules", "vitest", "vitest.mjs")
  const { code } = await run(nodePath, [program, "bench", "--run"], { cwd: root, env })
  return code
}

/**
 * @param {[string, (typeof measures)[string]][]} chosen
 * @param {ReturnType<typeof parse>} options
 * @param {{ nodePath: string, env: NodeJS.ProcessEnv }} prepared
 */
async function wholeProcesses(chosen, { quick, keep: isKept, from }, prepared) {
  const scratch = from ?? (await mkdtemp(join(tmpdir(), "harness-bench-")))
  if (isKept || from) say(`what is measured is in ${scratch}`)
  else process.once("exit", () => rmSync(scratch, { recursive: true, force: true }))
  endOnSignals()

  const installed = from
    ? await installedIn(scratch, prepared.nodePath)
    : await installInto(scratch, prepared, say)
  const model = await startScriptedModel(installed.nodePath)

  try {
    const runs = createRuns({
      ...{ installed, model },
      ...(quick
        ? { restMs: 1_000, restInAllMs: 10_000, attempts: 1 }
        : { restMs: 8_000, restInAllMs: 120_000, attempts: 3 }),
    })
    const before = await lastKept(results)
    const result = {
      ...(await circumstances(root)),
      quick,
      ...(await measured(chosen, runs, quick)),
    }
    const over = print(result, before)
    say(`the numbers are in ${await keep(results, result)}`)
    return over
  } finally {
    model.close()
  }
}

/**
 * @param {[string, (typeof measures)[string]][]} chosen
 * @param {ReturnType<typeof createRuns>} runs
 * @param {boolean} quick
 */
async function measured(chosen, runs, quick) {
  // Node compiles once and keeps it: nobody but the very first start pays for that.
  await runs.carryOut({ who: "ours", steps: 1 })

  const figures = /** @type {Record<string, import("./bench/measures.mjs").Figure>} */ ({})
  const details = /** @type {Record<string, object>} */ ({})
  for (const [name, measure] of chosen) {
    say(`measuring ${name}`)
    const found = await measure(runs, quick ? 1 : 5)
    Object.assign(figures, found.figures)
    details[name] = found.details
  }
  return { figures, details, otherCores: median(runs.otherLoad()) }
}

/** What runs at that moment is ended by its own `exit` listener. */
function endOnSignals() {
  process.once("SIGINT", () => process.exit(130))
  process.once("SIGTERM", () => process.exit(143))
}

/** @param {string} line */
function say(line) {
  process.stderr.write(`bench: ${line}\n`)
}
