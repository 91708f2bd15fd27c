// What the operating system must bring: installed where we may, named where we may not.
import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"
import { pathToFileURL } from "node:url"
import { run } from "./support/children.mjs"
import { runScript } from "./support/problem.mjs"

/** On Linux each command stands for the Debian package that brings it. */
const needed = [
  { command: "bwrap", debianPackage: "bubblewrap", platforms: ["linux"], use: "contains commands" },
  { command: "git", debianPackage: "git", platforms: ["linux", "darwin", "win32"], use: "history" },
]

/**
 * Installs what is missing on Debian and Ubuntu, as root or with a sudo that asks nothing.
 *
 * @returns {Promise<string[]>} the commands that are still missing, after one message about them
 */
export async function installSystemPackages() {
  const missing = missingNow()
  if (missing.length === 0) return []

  const prefix = await howToBecomeRoot()
  if (prefix && onPath("apt-get")) {
    const packages = missing.map(each => each.debianPackage)
    process.stderr.write(`setup: installing ${packages.join(" and ")} with apt-get\n`)
    await aptInstall(prefix, packages)
  }

  const left = missingNow()
  if (left.length > 0) {
    const list = left.map(each => `${each.command} (${each.use})`).join(" and ")
    const packages = left.map(each => each.debianPackage).join(" ")
    process.stderr.write(
      `setup: ${list} missing; install with your system's packages, on Debian and Ubuntu: sudo apt-get install ${packages}\n`,
    )
  }
  return left.map(each => each.command)
}

function missingNow() {
  return needed.filter(each => each.platforms.includes(process.platform) && !onPath(each.command))
}

/** @returns {Promise<string[] | undefined>} what goes before a command that needs root */
async function howToBecomeRoot() {
  if (process.getuid?.() === 0) return []
  const sudo = onPath("sudo") ? await run("sudo", ["-n", "true"], { captured: true }) : undefined
  return sudo?.code === 0 ? ["sudo", "-n"] : undefined
}

/**
 * @param {string[]} prefix
 * @param {string[]} packages
 */
async function aptInstall(prefix, packages) {
  const install = ["install", "--yes", "--no-install-recommends", ...packages]

  for (const args of [["update", "--quiet"], install]) {
    const [command = "", ...rest] = [
      ...prefix,
      "env",
      "DEBIAN_FRONTEND=noninteractive",
      "apt-get",
      ...args,
    ]
    const { code, output } = await run(command, rest, { captured: true })
    if (code !== 0) {
      process.stderr.write(`${output.trimEnd().split("\n").slice(-3).join("\n")}\n`)
      return
    }
  }
}

/** @param {string} command */
function onPath(command) {
  const name = process.platform === "win32" ? `${command}.exe` : command
  const folders = (process.env.PATH ?? "").split(delimiter).filter(folder => folder !== "")

  return folders.some(folder => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await runScript(async () => ((await installSystemPackages()).length === 0 ? 0 : 1))
}
