// What the operating system must bring: installed where we may, named where we may not.
import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"
import { pathToFileURL } from "node:url"
import { run } from "./support/children.mjs"
import { runScript } from "./support/problem.mjs"

const linux = ["linux"]
const everywhere = ["linux", "darwin", "win32"]

/** On Linux each command stands for the Debian packages that bring it. */
const needed = [
  { command: "bwrap", debianPackages: ["bubblewrap"], platforms: linux, use: "contains commands" },
  { command: "git", debianPackages: ["git"], platforms: everywhere, use: "history" },
]

const neededByTests = [
  { command: "gcc", debianPackages: ["gcc", "libc6-dev"], platforms: linux, use: "escape probes" },
  { command: "python3", debianPackages: ["python3"], platforms: linux, use: "work in the sandbox" },
  { command: "script", debianPackages: ["bsdutils"], platforms: linux, use: "pseudo-terminals" },
  { command: "tmux", debianPackages: ["tmux"], platforms: linux, use: "the terminal's tests" },
]

/**
 * Installs what is missing on Debian and Ubuntu, as root or with a sudo that asks nothing.
 *
 * @param {{ forTests?: boolean }} [options] with what only the tests start, too
 * @returns {Promise<string[]>} the commands that are still missing, after one message about them
 */
export async function installSystemPackages({ forTests = false } = {}) {
  const wanted = forTests ? [...needed, ...neededByTests] : needed
  const missing = missingOf(wanted)
  if (missing.length === 0) return []

  const prefix = await howToBecomeRoot()
  if (prefix && onPath("apt-get")) {
    const packages = missing.flatMap(each => each.debianPackages)
    process.stderr.write(`setup: installing ${packages.join(" and ")} with apt-get\n`)
    await aptInstall(prefix, packages)
  }

  const left = missingOf(wanted)
  if (left.length > 0) {
    const list = left.map(each => `${each.command} (${each.use})`).join(" and ")
    const packages = left.flatMap(each => each.debianPackages).join(" ")
    process.stderr.write(
      `setup: ${list} missing; install with your system's packages, on Debian and Ubuntu: sudo apt-get install ${packages}\n`,
    )
  }
  return left.map(each => each.command)
}

/** @param {typeof needed} wanted */
function missingOf(wanted) {
  return wanted.filter(each => each.platforms.includes(process.platform) && !onPath(each.command))
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
