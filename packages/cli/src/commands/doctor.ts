import { execFile } from "node:child_process"
import { statSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { type ProviderKey, toFailure } from "@harness/protocol"
import type { Probe } from "@harness/sandbox"
import { ask } from "../ask.ts"
import { homeIn } from "../home.ts"
import type { Invocation } from "../invocation.ts"
import { columnsOf } from "../text/columns.ts"
import { visible } from "../text/visible.ts"
import { withKernel } from "./with-kernel.ts"

/** What harness finds on this machine, as `--json` prints it. */
type Findings = {
  node: string
  platform: string
  /** `mode` in octal; null when it is not there yet. */
  home: { path: string; mode: string | null }
  sandbox: Probe
  /** Null when there is none. */
  git: string | null
  /** Where each provider's key comes from; a sentence when that could not be found out. */
  keys: ProviderKey[] | string
}

/** As commands that cannot be contained end a run. */
const brokenSandboxExit = 4

/** `harness doctor`: what harness needs of the machine, whether it is there, and what fixes it. */
export async function doctor(options: { json?: true }, invocation: Invocation): Promise<number> {
  const findings = await look(invocation)
  const text = options.json ? `${JSON.stringify(findings, null, 2)}\n` : linesOf(findings)
  invocation.stdout.write(text)
  return findings.sandbox.status === "works" ? 0 : brokenSandboxExit
}

async function look(invocation: Invocation): Promise<Findings> {
  const { env, cwd } = invocation
  const { sandboxFor } = await import("@harness/sandbox")
  const { platform, arch } = process
  const path = homeIn(env, cwd)
  const provider = sandboxFor("os", {
    platform,
    arch,
    searchPath: env.PATH ?? "",
    folder: join(path, "sandbox"),
    distrusted: [cwd],
  })
  const mode = statSync(path, { throwIfNoEntry: false })?.mode
  const [sandbox, git, keys] = await Promise.all([
    provider.probe(),
    gitVersion(),
    keysIn(invocation),
  ])
  return {
    node: process.versions.node,
    platform: `${platform}-${arch}`,
    home: { path, mode: mode === undefined ? null : (mode & 0o777).toString(8).padStart(4, "0") },
    sandbox,
    git,
    keys,
  }
}

async function keysIn(invocation: Invocation): Promise<Findings["keys"]> {
  try {
    const { keys } = await withKernel(invocation, kernel => ask(kernel, { type: "keys" }))
    return keys
  } catch (error) {
    return toFailure(error).message
  }
}

async function gitVersion(): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)("git", ["--version"], { cwd: "/" })
    return stdout.trim().replace(/^git version /, "")
  } catch {
    return null
  }
}

function linesOf({ node, platform, home, sandbox, git, keys }: Findings): string {
  const rows = [
    ["node", node],
    ["platform", platform],
    ["home", `${home.path} (${home.mode ?? "made by the first run"})`],
    ["git", git ?? "not found: the project's state is not kept with a conversation"],
    ["sandbox", inWords(sandbox)],
    ...(sandbox.status === "broken" ? [["  fix", sandbox.hint]] : []),
    ...(typeof keys === "string" ? [["keys", keys]] : keys.map(keyRow)),
  ]
  return visible(columnsOf(rows))
}

function inWords(probe: Probe): string {
  if (probe.status === "works") return `${probe.mechanism} ${probe.version}: it contains commands`
  return `${probe.mechanism} does not work: ${probe.reason}`
}

function keyRow({ provider, from, variable, reason }: ProviderKey): string[] {
  const words = {
    environment: `from ${variable}`,
    keychain: "from the keychain",
    file: "from keys.json",
    none: `none: set ${variable}, or harness login ${provider}`,
    unneeded: "needs none",
    unknown: reason ?? "",
  }
  return [`key of ${provider}`, words[from]]
}
