// Sets the checkout up on a machine that has only Node with npm: plain JavaScript for Node 18.
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { findNode } from "./support/node.mjs"
import { npm } from "./support/npm.mjs"
import { runScript } from "./support/problem.mjs"
import { stateOfDependencies } from "./support/stamp.mjs"

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const toolchain = join(root, ".toolchain")
const stamp = join(toolchain, "installed")

/**
 * Brings Node and the dependencies; nothing is done, and no process started, when they are there.
 *
 * @returns {Promise<{ nodePath: string, env: NodeJS.ProcessEnv }>} the Node to run our code with,
 *   and the environment in which it is the `node` on PATH
 */
export async function prepare() {
  const nodePath = await findNode(toolchain, say)
  const env = withFirstOnPath(dirname(nodePath))

  const installed = await readFile(stamp, "utf8").catch(() => "")
  if (installed !== (await stateOfDependencies(root, nodePath))) {
    say("installing the dependencies")
    await pnpm(["install", "--frozen-lockfile"], "install the dependencies")
    await mkdir(toolchain, { recursive: true })
    await writeFile(stamp, await stateOfDependencies(root, nodePath))
  }
  return { nodePath, env }
}

/**
 * Runs the pinned pnpm, whether or not there is one on PATH. It runs with the environment that we
 * were given: under another Node, npm would not find its global configuration (a proxy, an own
 * certificate authority).
 *
 * @param {string[]} args
 * @param {string} purpose what a failure says that we cannot do
 */
export async function pnpm(args, purpose) {
  const { packageManager } = JSON.parse(await readFile(join(root, "package.json"), "utf8"))
  return npm(["exec", "--yes", `--package=${packageManager}`, "--", "pnpm", ...args], {
    purpose,
    cwd: root,
  })
}

/** @param {string} folder */
function withFirstOnPath(folder) {
  const name = Object.keys(process.env).find(key => key.toUpperCase() === "PATH") ?? "PATH"
  return { ...process.env, [name]: [folder, process.env[name]].filter(Boolean).join(delimiter) }
}

/** @param {string} step */
function say(step) {
  process.stderr.write(`setup: ${step}\n`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await runScript(async () => {
    const { nodePath } = await prepare()
    process.stdout.write(`ready: ${nodePath}\n`)
    return 0
  })
}
