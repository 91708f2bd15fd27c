// Verifies the ini.js of the folder that it is run in: `node <here>/verify.mjs`. Exit code 0 when
// everything holds, else 1; each line that it prints says what was looked at.
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { isDeepStrictEqual } from "node:util"
import { ordinary, polluting, writable } from "./inputs.mjs"

const project = process.cwd()
const after = resolve(project, "ini.js")
const checks = "test/proto.test.js"
const probe = fileURLToPath(new URL("probe.mjs", import.meta.url))

const outcomes = [await runChecks(), ...(await tryPolluting()), ...(await compareOrdinary())]
const failed = outcomes.filter(({ status }) => status === "failed").length

for (const { status, text } of outcomes) console.log(`${status}: ${text}`)
console.log(failed === 0 ? "verified" : `not verified: ${failed} of ${outcomes.length} failed`)
process.exitCode = failed === 0 ? 0 : 1

async function runChecks() {
  if (!existsSync(resolve(project, checks))) return outcome(false, `there is no ${checks}`)

  // Named, since it is another one in other versions of Node and at a terminal.
  // A test runner that starts this one tells its children to report to it, and not to print.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { code, output } = await run(process.execPath, ["--test", "--test-reporter=tap", checks], {
    env,
  })
  const passed = output.match(/^# pass (\d+)$/m)?.[1] ?? "0"
  const found = `node --test ${checks}: exit ${code}, ${passed} passed`
  return outcome(code === 0 && passed !== "0", code === 0 ? found : `${found}\n${output}`)
}

/** Each in a process of its own: what one changes must not hide what another does. */
async function tryPolluting() {
  return Promise.all(
    Object.entries(polluting).map(async ([name, input]) => {
      const { code, output } = await run(process.execPath, [probe, after, input])
      const changes = code === 0 ? JSON.parse(output) : [`it ended with exit code ${code}`]
      const text = `${name}, ${JSON.stringify(input)}`
      if (changes.length === 0) return outcome(true, `${text}: nothing else changed`)
      return outcome(false, `${text}: ${changes.join("; ")}`)
    }),
  )
}

async function compareOrdinary() {
  const original = await originalSource()
  if (original === null) {
    return [{ status: "left out", text: "ordinary input: there is no git history to compare with" }]
  }

  const folder = await mkdtemp(join(tmpdir(), "ini-before-"))
  try {
    const before = join(folder, "ini.js")
    await writeFile(before, original)
    return compare(load(before), load(after))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** ini.js as the project was found: in the first commit, whatever was committed since. */
async function originalSource() {
  const first = await run("git", ["rev-list", "--max-parents=0", "HEAD"])
  if (first.code !== 0) return null
  const { code, output } = await run("git", ["show", `${first.output.trim()}:ini.js`])
  return code === 0 ? output : null
}

function compare(before, after) {
  const parsed = Object.entries(ordinary).map(([name, input]) => {
    const [old, now] = [before, after].map(ini => attempt(() => ini.parse(input)))
    const same =
      isDeepStrictEqual(now, old) && isDeepStrictEqual(written(after, now), written(before, old))
    const text = `ordinary input, ${name}: parse and stringify ${same ? "give what they gave" : "differ"}`
    return outcome(same, same ? text : `${text}\n${JSON.stringify({ input, old, now }, null, 2)}`)
  })

  const same = writable.every(object =>
    isDeepStrictEqual(written(after, { value: object }), written(before, { value: object })),
  )
  const text = `${writable.length} objects: stringify ${same ? "gives what it gave" : "differs"}`
  return [...parsed, outcome(same, text)]
}

function written(ini, { value }) {
  const options = [undefined, "section", { whitespace: true }, { section: "a.b", whitespace: true }]
  return options.map(each => attempt(() => ini.stringify(value, each)))
}

function attempt(action) {
  try {
    return { value: action() }
  } catch (error) {
    return { value: {}, error: String(error) }
  }
}

function load(path) {
  return createRequire(import.meta.url)(path)
}

function run(command, args, options = {}) {
  return new Promise(settle => {
    execFile(command, args, { cwd: project, ...options }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : 127
      settle({ code, output: stdout + (code === 0 ? "" : stderr) })
    })
  })
}

function outcome(holds, text) {
  return { status: holds ? "ok" : "failed", text }
}
