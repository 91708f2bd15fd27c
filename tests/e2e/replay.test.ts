// What the recorded messages rest on: that everything they do is real, and that it ends as recorded.
import { execFile } from "node:child_process"
import { basename } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, test } from "vitest"
import { temporaryFolder } from "../support/temporary-folder.ts"
import { parserProject, recordingOf, recordingText } from "./support/example.ts"
import { type Homes, prepareHomes, root } from "./support/homes.ts"
import { startJob } from "./support/job.ts"
import { ofType, readOnlyLog } from "./support/log.ts"

let homes: Homes
beforeAll(async () => {
  homes = await prepareHomes()
})
afterAll(() => homes.remove())

test.for(["parser-bug", "ini"])("the recording of %s is what its source writes", async example => {
  const source = `examples/${example}/recording.mjs`
  const { stdout } = await promisify(execFile)(process.execPath, [source], { cwd: root })
  expect(stdout).toBe(await recordingText(example))
})

test("a result that is not as recorded ends the run as diverged, and names the first difference", async () => {
  const recording = await temporaryFolder({ "recording.jsonl": await withPassingTests() })
  const job = await startJob({
    home: await homes.fresh(),
    files: await parserProject(),
    script: [],
  })
  const model = `replay/${recording.at("recording.jsonl")}`
  const { exitCode, stdout, stderr } = await job.run("--style", "programs", "--model", model)
  await recording.remove()

  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: `error replay_diverged: The recording ${basename(recording.path)}/recording.jsonl expected in result 1 (run_program) action 2 to be run_command ok with exit code 0 before its message 3, but got run_command ok with exit code 1.
next: Look at the result above: the project or harness does not behave as when it was recorded.
`,
  })
  expect(stdout.split("\n")[0]).toBe(
    "Replaying 5 recorded messages of recorded-engineer: no model is asked, everything else is real.",
  )
  expect(await job.project.files()).toEqual(await parserProject())

  const { events } = await readOnlyLog(job.home)
  expect(ofType(events, "turn_ended").map(({ ending }) => ending)).toMatchObject([
    { status: "failed", failure: { code: "replay_diverged" } },
  ])
  expect(job.server.requests).toEqual([])
})

/** The parser example's recording, had the tests passed before the fix. */
async function withPassingTests(): Promise<string> {
  const lines = await recordingOf("parser-bug")
  const text = lines.map(line => JSON.stringify(line)).join("\n")
  return text.replace(`"exit_code":1}`, `"exit_code":0}`)
}
