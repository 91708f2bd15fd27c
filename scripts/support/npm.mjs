import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { run } from "./children.mjs"
import { problem } from "./problem.mjs"

/** Without a network npm would try for minutes before it says so. */
const impatient = ["--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"]

/**
 * Runs npm. What it prints is kept and shown only if it fails.
 *
 * @param {string[]} args
 * @param {{ purpose: string, cwd: string }} options purpose is what a failure says that we cannot do
 */
export async function npm(args, { purpose, cwd }) {
  const { command, first, shell } = npmCommand()
  const result = await run(command, [...first, ...impatient, ...args], {
    cwd,
    captured: true,
    shell,
  })

  if (result.code === 127) {
    throw problem(`cannot ${purpose}: npm is not on PATH; install it (it comes with Node)`)
  }
  if (result.code !== 0) throw problem(`cannot ${purpose}: ${whyNpmFailed(result.output)}`)
  return result.output
}

/**
 * Brings one package into `folder`/node_modules, with scripts off and its content checked against
 * the integrity that we have seen.
 *
 * @param {string} folder
 * @param {{ name: string, version: string, integrity: string }} pinned
 */
export async function installPinned(folder, { name, version, integrity }) {
  const dependencies = { [name]: version }
  const lock = {
    lockfileVersion: 3,
    requires: true,
    packages: { "": { dependencies }, [`node_modules/${name}`]: { version, integrity } },
  }
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, dependencies }))
  await writeFile(join(folder, "package-lock.json"), JSON.stringify(lock))

  await npm(["ci", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"], {
    purpose: `bring ${name} ${version} from the npm registry`,
    cwd: folder,
  })
  return join(folder, "node_modules", name)
}

/** The npm that started us, run by our own Node: on Windows that spares the shell. */
function npmCommand() {
  const script = process.env.npm_execpath
  return script?.endsWith("npm-cli.js")
    ? { command: process.execPath, first: [script], shell: false }
    : { command: "npm", first: [], shell: process.platform === "win32" }
}

const unreachable = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH/

/** @param {string} output */
function whyNpmFailed(output) {
  if (unreachable.test(output)) {
    return "the registry cannot be reached; check the network and run this again"
  }
  const lines = output.split("\n").map(line => line.replace(/^npm (?:error|ERR!) ?/, "").trim())
  const told = lines.filter(line => line !== "" && !line.startsWith("A complete log"))
  return told.slice(-12).join("\n  ") || "npm gave no reason"
}
