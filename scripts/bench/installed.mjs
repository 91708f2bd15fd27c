import { existsSync } from "node:fs"
import { copyFile, mkdir, realpath, writeFile } from "node:fs/promises"
import { basename, delimiter, dirname, join } from "node:path"
import { root } from "../bootstrap.mjs"
import { run } from "../support/children.mjs"
import { npm } from "../support/npm.mjs"
import { packAll } from "../support/pack.mjs"
import { problem } from "../support/problem.mjs"

const onWindows = process.platform === "win32"

/**
 * Where what is measured lies.
 *
 * @typedef {{ scratch: string, nodePath: string, harness: string[], project: string, env: Record<string, string> }} Installed
 *   nodePath: a copy of Node, for a process's share of memory depends on who else runs the same
 *   file; harness: how to start it; env: all that a measured process gets
 */

/**
 * Builds and packs what is checked out and installs it as somebody else would, with a home, a
 * project and a HARNESS_HOME of its own.
 *
 * @param {string} scratch
 * @param {{ nodePath: string, env: NodeJS.ProcessEnv }} prepared
 * @param {(step: string) => void} say
 * @returns {Promise<Installed>}
 */
export async function installInto(scratch, { nodePath, env }, say) {
  say("building and packing")
  const built = await run(nodePath, ["--run", "build"], { cwd: root, env, captured: true })
  if (built.code !== 0) throw problem(`cannot measure what does not build:\n${built.output}`)
  const packed = await packAll(join(scratch, "tarballs"))
  const tarballOf = (/** @type {string} */ name) => {
    const found = packed.find(each => each.name === name)
    if (found === undefined) throw problem(`${name} is not in the workspace`)
    return found.tarball
  }

  say("installing the packed command and workspace")
  const globally = ["install", "--global", "--prefix", join(scratch, "prefix")]
  await npm([...globally, "--no-audit", "--no-fund", tarballOf("@harness/cli")], {
    purpose: "install the packed command",
    cwd: scratch,
  })

  const installed = await installedIn(scratch, nodePath)
  const [command = "", ...first] = installed.harness
  const workspace = await run(
    command,
    [...first, "install", tarballOf("@harness/workspace"), "--yes"],
    { cwd: scratch, env: { ...env, ...installed.env }, captured: true },
  )
  if (workspace.code !== 0) throw problem(`cannot install workspace:\n${workspace.output}`)
  return installed
}

/**
 * What an earlier bench left with `--keep`.
 *
 * @param {string} scratch
 * @param {string} nodePath
 * @returns {Promise<Installed>}
 */
export async function installedIn(scratch, nodePath) {
  const home = join(scratch, "home")
  const project = join(scratch, "project")
  await mkdir(home, { recursive: true })
  await mkdir(project, { recursive: true })
  await writeFile(join(project, "README.md"), "# sample\nA small project.\n")
  await writeFile(join(project, "window.txt"), `${"0123456789abcde\n".repeat(4_000)}`)

  const copy = join(scratch, "node", basename(nodePath))
  await mkdir(dirname(copy), { recursive: true })
  if (!existsSync(copy)) await copyFile(nodePath, copy)

  const harness = await startOf(scratch, copy)
  return { scratch, nodePath: copy, harness, project, env: environmentOf(scratch, copy) }
}

/**
 * Nothing of the caller's own: no proxy, no key, no locale that differs.
 *
 * @param {string} scratch
 * @param {string} nodePath
 */
function environmentOf(scratch, nodePath) {
  const home = join(scratch, "home")
  const system = onWindows ? process.env.PATH : "/usr/local/bin:/usr/bin:/bin"
  return {
    PATH: `${dirname(nodePath)}${delimiter}${system}`,
    HOME: home,
    HARNESS_HOME: join(scratch, "harness-home"),
    HARNESS_MODEL: "openai-compatible/scripted",
    OPENAI_API_KEY: "bench",
    LANG: "C.UTF-8",
    TERM: "dumb",
    NO_COLOR: "1",
    ...(onWindows && { USERPROFILE: home, SystemRoot: process.env.SystemRoot ?? "" }),
  }
}

/**
 * As people start it; on Windows, where that is a script of cmd, by its module.
 *
 * @param {string} scratch
 * @param {string} nodePath
 */
async function startOf(scratch, nodePath) {
  const prefix = join(scratch, "prefix")
  if (!onWindows) return [join(prefix, "bin", "harness")]
  return [nodePath, await realpath(join(prefix, "node_modules/@harness/cli/dist/main.js"))]
}
