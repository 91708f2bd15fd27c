import { randomUUID } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import {
  defaultSecretFiles,
  isSecretFile,
  Limits,
  type Permit,
  ProcessReceipt,
} from "@harness/protocol"
import { sandboxFor } from "@harness/sandbox"
import type { ProcessEnd, ProcessSpec, ProcessStart, ReadyOptions } from "@harness/sdk"
import { changeScans } from "../../src/changes/scans.ts"
import { type WorkerSandboxOptions, workerSandbox } from "../../src/containment/sandbox.ts"
import { leastEnvironment } from "../../src/processes/environment.ts"
import { type LeftProcess, type ProcessPool, processPool } from "../../src/processes/processes.ts"
import { type Folders, makeFolders } from "./folders.ts"

/** A pool of real processes over fresh folders. */
export type TestPool = {
  pool: ProcessPool
  folders: Folders
  tag: string
  /** With a deadline of a minute, unless the spec has one. */
  run(spec: ProcessSpec, options?: RunOptions): Promise<ProcessEnd>
  start(
    spec: ProcessSpec,
    ready?: ReadyOptions,
    options?: { signal?: AbortSignal },
  ): Promise<ProcessStart>
  /** What `start` has left running. */
  left(): readonly LeftProcess[]
  runAsIs(spec: ProcessSpec, options?: RunOptions): Promise<ProcessEnd>
  /** What is on the disk of a process. */
  kept(end: ProcessEnd): { output: string; receipt: ProcessReceipt }
  /** Text of what came, as it came. */
  seen(): string
  dispose(): Promise<void>
}

export type RunOptions = { signal?: AbortSignal; permits?: Permit[] }

export type PoolOptions = {
  limits?: Partial<Limits>
  own?: Record<string, string | undefined>
  allowed?: Record<string, string>
  grantBytes?: number
  sandbox?: Partial<WorkerSandboxOptions>
}

export function makePool(options: PoolOptions = {}): TestPool {
  const { own = process.env, allowed = {}, grantBytes = 2 ** 40 } = options
  const folders = makeFolders({ grantBytes })
  const { artifacts, base } = folders
  const temp = join(base, "temp")
  mkdirSync(temp)
  const tag = randomUUID()
  const { platform } = process
  const environment = leastEnvironment({ own, platform, temp, allowed, tag })
  const limits = Limits.parse(options.limits ?? {})
  const sandbox = workerSandbox({
    provider: sandboxFor("off", sandboxOptions(base)),
    root: folders.path,
    temp,
    harnessHome: artifacts,
    userHome: base,
    network: true,
    containment: { hide: [], unix_sockets: false, debuggers: false },
    ...options.sandbox,
  })
  const scans = changeScans({
    root: folders.root,
    skip: [artifacts, temp],
    isSecret: path => isSecretFile(path, defaultSecretFiles),
  })
  const pool = processPool({ scans, limits, artifacts, environment, sandbox, tag, platform })
  const output: Buffer[] = []
  const left: LeftProcess[] = []

  const owner = (signal: AbortSignal, permits: Permit[] = []) => ({
    signal,
    permits,
    files: folders.files,
    evidence: folders.evidence,
    began: () => undefined,
    starting: () => undefined,
    left: (process: LeftProcess) => void left.push(process),
    output: (bytes: Buffer) => void output.push(Buffer.from(bytes)),
  })
  const runAsIs: TestPool["run"] = (spec, runOptions = {}) => {
    const { signal = new AbortController().signal, permits } = runOptions
    return pool.run(spec, owner(signal, permits))
  }

  return {
    pool,
    folders,
    tag,
    runAsIs,
    start: (spec, ready, { signal = new AbortController().signal } = {}) =>
      // It takes what is left of its action's grant: this is an action of its own.
      pool.start(spec, ready, { ...owner(signal), ...folders.filesWith({ grantBytes }) }),
    left: () => left,
    run: (spec, options) => runAsIs({ timeoutSeconds: 60, ...spec }, options),
    kept({ receipt: { id } }) {
      const read = (name: string) => readFileSync(join(artifacts, "processes", id, name), "utf8")
      return {
        output: read("output"),
        receipt: ProcessReceipt.parse(JSON.parse(read("receipt.json"))),
      }
    },
    seen: () => Buffer.concat(output).toString(),
    async dispose() {
      await pool.close()
      folders.dispose()
    },
  }
}

/** Resolves when the condition holds; the hang limit is the test's. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(resolve => setTimeout(resolve, 10))
}

/** Ids of the processes that carry the tag; Linux only. */
export function tagged(tag: string): number[] {
  return processIds().filter(id => environmentOf(id).includes(`HARNESS_SESSION=${tag}\0`))
}

function processIds(): number[] {
  return readdirSync("/proc")
    .filter(name => /^\d+$/.test(name))
    .map(Number)
}

function environmentOf(id: number): string {
  try {
    return readFileSync(`/proc/${id}/environ`, "utf8")
  } catch {
    return ""
  }
}

/** For a provider whose files lie below a folder. */
export function sandboxOptions(base: string) {
  const { platform, arch, env } = process
  const folder = join(base, "sandbox")
  return { platform, arch, searchPath: env.PATH ?? "", folder, distrusted: [base] }
}
