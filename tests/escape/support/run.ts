import { type StdioOptions, spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import {
  openDescriptors,
  type SandboxPolicy,
  type SandboxProvider,
  sandboxFor,
} from "../../../packages/sandbox/src/index.ts"
import type { Identity } from "./identities.ts"
import type { World } from "./world.ts"

export type End = { code: number | null; signal: NodeJS.Signals | null; output: string }

/** How a command is started: as whom, and with what instead of what the world says. */
export type Start = {
  world: World
  policy?: Partial<SandboxPolicy>
  /** In a sandbox that was made before the command was known. */
  waiting?: boolean
}

/** Where a shell finds what the probes call. */
export const SEARCH_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

/** Longer than all probes of one sandbox take. */
const HANG_MS = 60_000

export type Sandboxes = {
  provider: SandboxProvider
  /** Where it keeps what it needs. */
  folder: string
  /** Runs a command to its end in a sandbox of its own. */
  run(argv: readonly string[], start: Start): Promise<End>
  remove(): void
}

/** The sandbox of this machine, with a folder of its own for what it keeps. */
export function makeSandboxes(searchPath = SEARCH_PATH): Sandboxes {
  const folder = mkdtempSync("/var/tmp/harness-escape-sandbox-")
  const { platform, arch } = process
  const provider = sandboxFor("os", { platform, arch, searchPath, folder, distrusted: [] })
  return {
    provider,
    folder,
    run: (argv, start) => runIn({ provider, folder }, argv, start),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function runIn(
  { provider, folder }: { provider: SandboxProvider; folder: string },
  argv: readonly string[],
  { world, policy = {}, waiting }: Start,
): Promise<End> {
  const env = { ...variablesOf(world), ...policy.env }
  const asked = { ...world.policy, ...policy, env }
  const prepared = waiting ? provider.prepare?.(asked) : undefined
  const wrapped = prepared?.wrapped ?? provider.wrap(argv, asked)
  const opened = openDescriptors(wrapped, folder)
  if (wrapped.reports) opened.push(openSync("/dev/null", "w"))
  const input = prepared && `${prepared.greeting}${provider.lineFor?.(argv)}`
  // It says there that it waits.
  if (input !== undefined) opened.push(openSync("/dev/null", "w"))
  try {
    return await runOnHost(wrapped.argv, { ...wrapped, identity: world.identity, opened, input })
  } finally {
    for (const descriptor of opened) closeSync(descriptor)
  }
}

export type HostStart = {
  env: Readonly<Record<string, string>>
  cwd: string
  identity: Identity
  /** Descriptors from 3 on. */
  opened?: readonly number[]
  /** What comes by standard input, which is empty without it. */
  input?: string | undefined
}

/** Runs a command to its end without a sandbox. */
export async function runOnHost(argv: readonly string[], start: HostStart): Promise<End> {
  const [program = "", ...args] = argv
  const { env, cwd, identity, opened = [], input } = start
  const stdio: StdioOptions = [input === undefined ? "ignore" : "pipe", "pipe", "pipe", ...opened]
  const child = spawn(program, args, {
    ...{ cwd, env, stdio, timeout: HANG_MS, killSignal: "SIGKILL" },
    ...identity.ids,
  })
  child.stdin?.on("error", () => {})
  child.stdin?.end(input)
  const [out, err, [code, signal]] = await Promise.all([
    child.stdout === null ? "" : text(child.stdout),
    child.stderr === null ? "" : text(child.stderr),
    once(child, "exit"),
  ])
  return { code, signal, output: out + err }
}

/** What every command gets. */
export function variablesOf({ home, root, outside, harnessHome, marker, temp }: World) {
  return {
    ...{ PATH: SEARCH_PATH, LANG: "C.UTF-8", HOME: home, TMPDIR: temp },
    ...{ ROOT: root, OUT: outside, HARNESS_HOME: harnessHome, MARKER: marker },
  }
}

/** The path in a probe's terms, e.g. `$OUT/written`. */
export function expanded(path: string, world: World): string {
  const variables: Record<string, string> = variablesOf(world)
  return join(path.replaceAll(/\$([A-Z]+)/g, (whole, name: string) => variables[name] ?? whole))
}
