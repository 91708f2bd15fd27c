import { execFile } from "node:child_process"
import { statSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import type { Probe } from "@harness/sandbox"
import { homeIn } from "../home.ts"
import type { Invocation } from "../invocation.ts"
import { columnsOf } from "../text/columns.ts"
import { visible } from "../text/visible.ts"

/** What harness finds on this machine, as `--json` prints it. */
type Findings = {
  node: string
  platform: string
  /** `mode` in octal; null when it is not there yet. */
  home: { path: string; mode: string | null }
  sandbox: Probe
  /** Null when there is none. */
  git: string | null
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

async function look({ env, cwd }: Invocation): Promise<Findings> {
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
  const [sandbox, git] = await Promise.all([provider.probe(), gitVersion()])
  return {
    node: process.versions.node,
    platform: `${platform}-${arch}`,
    home: { path, mode: mode === undefined ? null : (mode & 0o777).toString(8).padStart(4, "0") },
    sandbox,
    git,
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

function linesOf({ node, platform, home, sandbox, git }: Findings): string {
  const rows = [
    ["node", node],
    ["platform", platform],
    ["home", `${home.path} (${home.mode ?? "made by the first run"})`],
    ["git", git ?? "not found: the project's state is not kept with a conversation"],
    ["sandbox", inWords(sandbox)],
    ...(sandbox.status === "broken" ? [["  fix", sandbox.hint]] : []),
  ]
  return visible(columnsOf(rows))
}

function inWords(probe: Probe): string {
  if (probe.status === "works") return `${probe.mechanism} ${probe.version}: it contains commands`
  return `${probe.mechanism} does not work: ${probe.reason}`
}
