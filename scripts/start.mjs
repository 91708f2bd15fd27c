// `npm start [-- <example> [options of harness run]]`: all set-up, then the main job on an example.
import { existsSync } from "node:fs"
import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import { prepare, root } from "./bootstrap.mjs"
import { run, runInOurPlace } from "./support/children.mjs"
import { cliFromSource } from "./support/cli.mjs"
import { loadExample, projectCopy } from "./support/example.mjs"
import { runScript } from "./support/problem.mjs"
import { installSystemPackages } from "./system-packages.mjs"

await runScript(async () => {
  const { name, options } = parse(process.argv.slice(2))
  const example = await loadExample(join(root, "examples"), name)
  const model = process.env.HARNESS_MODEL || `replay/${example.recording}`
  say(process.env.HARNESS_MODEL ? `the model is ${model}` : replaying(example))

  const { nodePath } = await prepare()
  await installSystemPackages()
  const contained = await canContain()
  if (!contained) say(uncontained)
  const copy = await projectCopy(example, say)
  say(`the project is ${copy}`)
  await showBug(example, copy)

  const home = join(root, ".harness-home")
  const env = { ...process.env, HARNESS_HOME: home }
  await showExample(example, home)
  const install = cliFromSource(root, ["install", "./packages/workspace", "--link", "--yes"])
  const { code } = await run(nodePath, install, { cwd: root, env })
  if (code !== 0) return code

  const job = ["run", example.task, "--folder", copy, "--verify", example.verify, "--model", model]
  const sandbox = contained ? "os" : "off"
  const args = cliFromSource(root, [...job, "--sandbox", sandbox, ...options])
  return runInOurPlace(nodePath, args, { cwd: root, env })
})

/** @param {string[]} args */
function parse(args) {
  const [first = "", ...rest] = args
  return first === "" || first.startsWith("-")
    ? { name: "parser-bug", options: args }
    : { name: first, options: rest }
}

/** @param {import("./support/example.mjs").Example} example */
function replaying({ recording }) {
  const file = relative(root, recording)
  return `recorded model messages are replayed (${file}); for a real model: HARNESS_MODEL=openai-compatible/<model> OPENAI_BASE_URL=<url> OPENAI_API_KEY=<key> npm start`
}

const uncontained =
  "there is no working bubblewrap: --sandbox off, the model's commands run with your own authority"

/**
 * Whether bubblewrap works, in a fraction of the time that `harness doctor` takes. It looks for no more
 * than that: what else may be wrong ends the run with exit 4 and its own words.
 */
async function canContain() {
  if (process.platform !== "linux") return process.platform === "darwin"
  const namespaces = ["--unshare-user", "--unshare-pid", "--unshare-net", "--disable-userns"]
  const places = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
  const { code } = await run("bwrap", [...namespaces, ...places, "true"], { captured: true })
  return code === 0
}

/**
 * @param {import("./support/example.mjs").Example} example
 * @param {string} copy
 */
async function showBug({ showBug: command }, copy) {
  if (!command) return
  say(`the bug, before anything is changed: ${command}`)
  await run(command, [], { cwd: copy, shell: true })
}

/**
 * In a checkout below /tmp, where commands have a folder of their own, the command that verifies the
 * example would not be there.
 *
 * @param {import("./support/example.mjs").Example} example
 * @param {string} home
 */
async function showExample({ folder }, home) {
  const config = join(home, "config.jsonc")
  if (!/^\/(?:tmp|run)\//.test(folder) || existsSync(config)) return
  await mkdir(home, { recursive: true, mode: 0o700 })
  await writeFile(config, `${JSON.stringify({ containment: { show: [dirname(folder)] } })}\n`)
}

/** @param {string} line */
function say(line) {
  process.stdout.write(`start: ${line}\n`)
}
