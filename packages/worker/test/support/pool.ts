import { randomUUID } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Limits, ProcessReceipt } from "@harness/protocol"
import type { ProcessEnd, ProcessSpec, ProcessStart, ReadyOptions } from "@harness/sdk"
import { off } from "../../src/containment/provider.ts"
import { workerSandbox } from "../../src/containment/sandbox.ts"
import { leastEnvironment } from "../../src/processes/environment.ts"
import { type LeftProcess, type ProcessPool, processPool } from "../../src/processes/processes.ts"
import { type Folders, makeFolders } from "./folders.ts"

/** A pool of real processes over fresh folders. */
export type TestPool = {
  pool: ProcessPool
  folders: Folders
  tag: string
  /** With a deadline of a minute, unless the spec has one. */
  run(spec: ProcessSpec, options?: { signal?: AbortSignal }): Promise<ProcessEnd>
  start(
    spec: ProcessSpec,
    ready?: ReadyOptions,
    options?: { signal?: AbortSignal },
  ): Promise<ProcessStart>
  /** What `start` has left running. */
  left(): readonly LeftProcess[]
  runAsIs(spec: ProcessSpec, options?: { signal?: AbortSignal }): Promise<ProcessEnd>
  /** What is on the disk of a process. */
  kept(end: ProcessEnd): { output: string; receipt: ProcessReceipt }
  /** Text of what came, as it came. */
  seen(): string
  dispose(): Promise<void>
}

export type PoolOptions = {
  limits?: Partial<Limits>
  own?: Record<string, string | undefined>
  allowed?: Record<string, string>
  grantBytes?: number
}

export function makePool(options: PoolOptions = {}): TestPool {
  const { own = process.env, allowed = {}, grantBytes = 2 ** 40 } = options
  const folders = makeFolders({ grantBytes })
  const { artifacts, base } = folders
  const tag = randomUUID()
  const { platform } = process
  const environment = leastEnvironment({ own, platform, temp: base, allowed, tag })
  const limits = Limits.parse(options.limits ?? {})
  const sandbox = workerSandbox({
    provider: off,
    root: folders.path,
    temp: base,
    harnessHome: base,
    userHome: base,
    network: true,
    containment: { hide: [], unix_sockets: false, debuggers: false },
  })
  const pool = processPool({ limits, artifacts, environment, sandbox, tag, platform })
  const output: Buffer[] = []
  const left: LeftProcess[] = []

  const owner = (signal: AbortSignal) => ({
    signal,
    files: folders.files,
    evidence: folders.evidence,
    permits: [],
    began: () => undefined,
    starting: () => undefined,
    left: (process: LeftProcess) => void left.push(process),
    output: (bytes: Buffer) => void output.push(Buffer.from(bytes)),
  })
  const runAsIs: TestPool["run"] = (spec, { signal = new AbortController().signal } = {}) =>
    pool.run(spec, owner(signal))

  return {
    pool,
    folders,
    tag,
    runAsIs,
    start: (spec, ready, { signal = new AbortController().signal } = {}) =>
      pool.start(spec, ready, owner(signal)),
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
