import { type ChildProcess, execFile, type StdioOptions, spawn } from "node:child_process"
import { closeSync, existsSync, openSync, readFileSync } from "node:fs"
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { promisify } from "node:util"
import { openDescriptors } from "../descriptors.ts"
import type { Probe, SandboxPolicy, SandboxProvider, Wrapped } from "../provider.ts"
import { type Diagnosis, diagnose, type Trial } from "./diagnosis.ts"

export type ProbeOptions = {
  /** Undefined when it was not found. */
  program: string | undefined
  /** `process.arch`, and whether there is a filter for it. */
  architecture: { name: string; supported: boolean }
  /** How commands are wrapped; the folder is for what that writes. */
  wrapIn(folder: string): SandboxProvider["wrap"]
}

/** A trial that hangs does not hang harness. */
const TRIAL_MS = 10_000

/** Tells what the kernel says of the command itself, and tries to write where it may not. */
const script = `
while read -r key value; do case $key in Seccomp: | NoNewPrivs: | CapEff:) echo "$key$value" ;; esac; done < /proc/self/status
while read -r name rest; do case $name in *:*) echo "network:$name" ;; esac; done < /proc/net/dev
(: > ../outside) 2> /dev/null
: > inside`

const expected = ["CapEff:0000000000000000", "NoNewPrivs:1", "Seccomp:2", "network:lo:"]

/** Contains a command in a project of its own, and looks at what holds. */
export async function probeBubblewrap(options: ProbeOptions): Promise<Probe> {
  const { program, architecture } = options
  if (program === undefined) return broken({ outcome: "not_found" })
  if (!architecture.supported) {
    return broken({ outcome: "unsupported", architecture: architecture.name })
  }
  const [trial, version] = await Promise.all([tried(options), versionOf(program)])
  return trial === undefined ? { status: "works", mechanism: "bubblewrap", version } : broken(trial)
}

function broken(trial: Trial): Probe {
  const diagnosis: Diagnosis = diagnose(trial, file => {
    try {
      return readFileSync(file, "utf8")
    } catch {
      return undefined
    }
  })
  return { status: "broken", mechanism: "bubblewrap", ...diagnosis }
}

/** What is wrong; undefined when nothing is. */
async function tried({ wrapIn }: ProbeOptions): Promise<Trial | undefined> {
  try {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "harness-probe-")))
    try {
      const [root, temp] = [join(folder, "root"), join(folder, "temp")]
      await Promise.all([mkdir(root), mkdir(temp)])
      const wrap = wrapIn(join(folder, "filters"))
      const wrapped = wrap(["/bin/sh", "-c", script], trialPolicy({ root, temp }))
      const finished = await started(wrapped, folder)
      return judged(finished) ?? judgedFiles(folder)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  } catch (error) {
    return { outcome: "failed", message: error instanceof Error ? error.message : String(error) }
  }
}

function trialPolicy({ root, temp }: { root: string; temp: string }): SandboxPolicy {
  return {
    ...{ root, temp, cwd: root, home: temp, hidden: [], env: {} },
    ...{ network: false, unixSockets: false, debuggers: false },
  }
}

function judged({ code, output, message }: Finished): Trial | undefined {
  if (code !== 0) return { outcome: "failed", message: message || `it ended with ${code}` }

  const found = output
    .trim()
    .split("\n")
    .map(line => line.replaceAll(/\s/g, ""))
    .sort()
  const wrong = found.find(line => !expected.includes(line))
  const missing = expected.find(line => !found.includes(line))
  if (wrong === undefined && missing === undefined) return undefined
  return { outcome: "leaks", what: `a command in it found ${wrong ?? `no ${missing}`}` }
}

function judgedFiles(folder: string): Trial | undefined {
  if (existsSync(join(folder, "outside"))) {
    return { outcome: "leaks", what: "a command in it wrote outside its folders" }
  }
  if (existsSync(join(folder, "root", "inside"))) return undefined
  return { outcome: "leaks", what: "a command in it could not write its own folder" }
}

type Finished = { code: number | null; output: string; message: string }

async function started(wrapped: Wrapped, folder: string): Promise<Finished> {
  const { argv, env, cwd, reports } = wrapped
  const [program = "", ...args] = argv
  const opened = openDescriptors(wrapped, folder)
  try {
    if (reports) opened.push(openSync("/dev/null", "w"))
    const stdio: StdioOptions = ["ignore", "pipe", "pipe", ...opened]
    return await finished(spawn(program, args, { cwd, env, stdio, detached: true }))
  } finally {
    for (const descriptor of opened) closeSync(descriptor)
  }
}

/** The whole group is ended in time: what bubblewrap leaves when it fails early waits for ever. */
async function finished(child: ChildProcess): Promise<Finished> {
  const late = setTimeout(() => endGroup(child), TRIAL_MS)
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject)
    child.once("exit", resolve)
  })
  exit.then(() => endGroup(child)).catch(() => {})
  try {
    const [code, output, message] = await Promise.all([
      exit,
      textOf(child.stdout),
      textOf(child.stderr),
    ])
    return { code, output, message }
  } finally {
    clearTimeout(late)
  }
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL")
  } catch {
    // There is nobody left in it.
  }
}

async function textOf(stream: Readable | null): Promise<string> {
  return stream === null ? "" : await text(stream)
}

async function versionOf(program: string): Promise<string> {
  const run = promisify(execFile)
  const { stdout } = await run(program, ["--version"], { timeout: TRIAL_MS, env: {} })
  return stdout.replace("bubblewrap", "").trim()
}
