// Whatever proposes an effect takes one path. Every action of the kind `project` is called
// in both styles, and the log is compared with what the actions themselves say ran.

import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { DurableEvent } from "../../packages/protocol/src/index.ts"
import { picture } from "../../packages/worker/test/images/support.ts"
import { project } from "../../packages/workspace/src/index.ts"
import { runCli } from "../support/run-cli.ts"
import type { ScriptedReply } from "../support/scripted-server.ts"
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.ts"
import { compiled, emptyHome, root } from "./support/homes.ts"
import { startJob } from "./support/job.ts"
import { ofType, readOnlyLog } from "./support/log.ts"

let traced: TemporaryFolder
beforeAll(async () => {
  traced = await tracedPackage()
})
afterAll(() => traced.remove())

const files = { "a.txt": "one\n" }

/** Every action once, by its name; `<id>` stands for what `start_process` answered. */
const inputs = {
  read_file: { path: "a.txt" },
  read_image: { path: "a.png" },
  write_file: { path: "b.txt", text: "two\n" },
  edit_file: { path: "a.txt", old_text: "one", new_text: "1" },
  list_files: { pattern: "*.txt" },
  search_files: { pattern: "o", path: "a.txt" },
  run_command: { command: "echo ran >c.txt" },
  start_process: { command: "sleep 600" },
  process_status: { id: "<id>" },
  read_output: { id: "<id>" },
  cancel_process: { id: "<id>" },
  list_processes: {},
} as const

test("the calls below are one for each action that is registered", () => {
  expect(Object.keys(inputs)).toEqual(project.actions.map(({ name }) => name))
})

test("each action of a program is on record as it ran, from its proposal to its receipt", async () => {
  const source = Object.entries(inputs)
    .map(([action, input]) => `result = ${action}(**${JSON.stringify(input)})`)
    .map(line => line.replace('"<id>"', "id"))
    .flatMap(line => (line.includes("start_process") ? [line, "id = result.id"] : [line]))
    .join("\n")
  const program = { calls: [{ tool: "run_program", arguments: { language: "python", source } }] }
  const { ran, recorded } = await runTraced([program, { text: "Done." }], "programs")

  const called = Object.entries(inputs).map(([action, input]) => asRun(action, input))
  expect(ran.map(withoutId)).toEqual([...called, verification])
  expect(recorded).toEqual(ran.map((each, index) => pathOf(each, index)))
})

test("each tool call is on record as the action that ran", async () => {
  const calls = [
    { tool: "read", arguments: { path: "a.txt" } },
    { tool: "write", arguments: { path: "b.txt", text: "two\n" } },
    { tool: "edit", arguments: { path: "a.txt", old_text: "one", new_text: "1" } },
    { tool: "bash", arguments: { command: "echo ran >c.txt" } },
  ]
  const { ran, recorded } = await runTraced([{ calls }, { text: "Done." }], "tools")

  expect(ran.map(({ action }) => action)).toEqual([
    "read_file",
    "write_file",
    "edit_file",
    "run_command",
    "run_command",
  ])
  expect(recorded).toEqual(ran.map((each, index) => pathOf(each, index)))
})

test("what is denied is proposed and ended on record, and neither started nor run", async () => {
  const calls = [
    { tool: "write", arguments: { path: "b.txt", text: "two\n" } },
    { tool: "bash", arguments: { command: "echo ran >c.txt" } },
  ]
  const script = [{ calls }, { text: "Done." }]
  const { ran, recorded } = await runTraced(script, "tools", "--approve", "plan")

  expect(ran).toEqual([verification])
  expect(recorded.map(({ records }) => records)).toEqual([
    ["action_proposed deny", "action_ended denied"],
    ["action_proposed deny", "action_ended denied"],
    whole,
  ])
})

type Ran = { action: string; input: unknown }

/** An action with the input that its run is given: what the caller left out has its default. */
function asRun(action: string, input: unknown): Ran {
  return { action, input: project.actions.find(({ name }) => name === action)?.input.parse(input) }
}

/** The id of a process is another one in each run. */
function withoutId({ action, input }: Ran): Ran {
  const known = typeof input === "object" && input !== null && "id" in input
  return known ? { action, input: { ...input, id: "<id>" } } : { action, input }
}

const verification = asRun("run_command", { command: "true" })

const whole = ["action_proposed allow", "action_started", "action_ended ok"]

function pathOf({ action, input }: Ran, index: number) {
  const effect = project.actions.find(({ name }) => name === action)?.effect
  return { id: `a${index + 1}`, action, effect, input, records: whole }
}

/** Runs the script and the verification, and returns what ran beside what the log says of it. */
async function runTraced(script: ScriptedReply[], style: string, ...args: string[]) {
  const home = await emptyHome()
  const install = ["install", traced.path, "--link", "--yes"]
  const env = { HARNESS_HOME: home.path, NODE_COMPILE_CACHE: compiled }
  expect(await runCli(install, { env, cwd: root })).toMatchObject({ exitCode: 0 })

  await traced.write({ trace: "" })
  const job = await startJob({ home, script, files })
  await writeFile(job.project.at("a.png"), await picture(2, 2).png().toBuffer())
  const end = await job.run("-p", "--style", style, "--verify", "true", ...args)
  expect(end).toMatchObject({ exitCode: 0, stdout: "Done.\n", stderr: "" })

  const trace = (await traced.text("trace")).trimEnd().split("\n")
  const { events } = await readOnlyLog(home)
  return { ran: trace.map((line): Ran => JSON.parse(line)), recorded: recordedActions(events) }
}

/** Each action of a log with its records in order. */
function recordedActions(events: readonly DurableEvent[]) {
  return ofType(events, "action_proposed").map(({ action_id, action, effect, input }) => ({
    id: action_id,
    effect,
    ...asRun(action, input),
    records: events.flatMap(event => {
      if (!("action_id" in event) || event.action_id !== action_id) return []
      if (event.type === "action_proposed") return [`${event.type} ${event.verdict}`]
      if (event.type === "action_ended") return [`${event.type} ${event.receipt.status}`]
      return event.type === "action_started" ? [event.type] : []
    }),
  }))
}

/** The kind `project` as it is, but that each action writes down by itself that it runs. */
async function tracedPackage(): Promise<TemporaryFolder> {
  const folder = await temporaryFolder()
  const workspace = pathToFileURL(join(root, "packages/workspace/src/index.ts")).href
  await folder.write({
    "package.json": JSON.stringify({
      name: "harness-traced",
      version: "1.0.0",
      type: "module",
      exports: "./index.mjs",
      harness: {
        api: 1,
        contributes: { kinds: [{ name: "project", module: "." }] },
        capabilities: ["files", "processes"],
      },
    }),
    "index.mjs": `import { appendFileSync } from "node:fs"
import { defineAction, defineKind } from "@harness/sdk"
import { project } from ${JSON.stringify(workspace)}

const trace = ${JSON.stringify(folder.at("trace"))}
const traced = action => defineAction({
  ...action,
  run(input, context) {
    appendFileSync(trace, JSON.stringify({ action: action.name, input }) + "\\n")
    return action.run(input, context)
  },
})

export const kind = defineKind({ ...project, actions: project.actions.map(traced) })
`,
  })
  return folder
}
