import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { judge } from "../../scripts/bench/bounds.mjs"
import { execute } from "../../scripts/bench/execute.mjs"
import { processesOf } from "../../scripts/bench/proc.mjs"
import { startScriptedModel } from "../../scripts/bench/scripted-model.mjs"
import { largest, median } from "../../scripts/bench/statistics.mjs"
import { run } from "../../scripts/support/children.mjs"
import { temporaryFolder } from "../support/temporary-folder.ts"

test("a multiple of the floor is over as soon as it is exceeded", () => {
  expect(judge("version", { value: 32, floor: 20 })).toEqual({
    name: "version",
    label: "--version (floor: node -e 0)",
    value: "32.0 ms",
    floor: "20.0 ms",
    ratio: "1.60",
    bound: "1.6 x floor",
    verdict: "ok",
  })
  expect(judge("version", { value: 32.1, floor: 20 }).verdict).toBe("over")
})

test("a time that is over is slow while the floor is slow too, and over when it is not", () => {
  expect(judge("gap", { value: 8, floor: 3 }).verdict).toBe("ok")
  expect(judge("gap", { value: 20, floor: 8 }).verdict).toBe("slow")
  expect(judge("gap", { value: 20, floor: 7.9 }).verdict).toBe("over")
})

test("a size is over whatever the floor needs, and what was not measured is told", () => {
  const mebibytes = 1_048_576
  expect(judge("memory_25", { value: 100 * mebibytes, floor: mebibytes }).verdict).toBe("ok")
  expect(judge("memory_25", { value: 101 * mebibytes, floor: 90 * mebibytes }).verdict).toBe("over")
  expect(judge("lookups", { value: Number.NaN }).verdict).toBe("not measured")
})

test("medians and maxima leave out what was not measured", () => {
  expect(median([Number.NaN, 3, 1, 2, 10])).toBe(2.5)
  expect(median([])).toBeNaN()
  expect(largest([1, Number.NaN, 3, 2])).toBe(3)
})

test("the floor does the scripted steps, and each result is seen by the scripted model", async () => {
  const model = await startScriptedModel(process.execPath)
  onTestFinished(() => model.close())
  await model.play({ steps: 3, tool: "bash", arguments: { command: "echo ok-{n}" } })

  const env = { ...process.env, OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: "bench" }
  const floor = join("scripts", "bench", "floor.mjs")
  expect(await run(process.execPath, [floor, "go"], { env, captured: true })).toEqual({
    code: 0,
    output: "All done.\n",
  })

  const { exchanges } = await model.record()
  expect(
    exchanges.map(({ told, final, problem }) => ({ told: JSON.parse(told), final, problem })),
  ).toEqual([
    { told: "", final: false, problem: undefined },
    { told: "ok-1\n", final: false, problem: undefined },
    { told: "ok-2\n", final: false, problem: undefined },
    { told: "ok-3\n", final: true, problem: undefined },
  ])
})

test.runIf(process.platform === "linux")(
  "a process that outlives its run in a session of its own is named as stray, and ended",
  async () => {
    const folder = await temporaryFolder()
    onTestFinished(() => folder.remove())
    const { root, stray } = await executed(folder.path, "setsid sleep 1000 & sleep 0.2")

    expect(stray).toEqual(["sleep"])
    const run = { root, temporaryFolder: folder.path }
    await expect.poll(() => processesOf(run).filter(each => each.state !== "Z")).toEqual([])
  },
)

async function executed(folder: string, command: string) {
  let root = 0
  const execution = await execute(["sh", "-c", command], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "" },
    temporaryFolder: folder,
    ownPids: [process.pid],
    onSpawn: pid => {
      root = pid
    },
  })
  return { root, stray: execution.stray }
}
