import { randomUUID } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Limits, ProcessReceipt } from "@harness/protocol"
import type { ProcessEnd, ProcessSpec } from "@harness/sdk"
import { leastEnvironment } from "../../src/processes/environment.ts"
import { type ProcessPool, processPool } from "../../src/processes/processes.ts"
import { type Folders, makeFolders } from "./folders.ts"

/** A pool of real processes over fresh folders. */
export type TestPool = {
  pool: ProcessPool
  folders: Folders
  tag: string
  /** With a deadline of a minute, unless the spec has one. */
  run(spec: ProcessSpec, options?: { signal?: AbortSignal }): Promise<ProcessEnd>
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
  const pool = processPool({ limits, artifacts, environment, tag, platform })
  const output: Buffer[] = []

  const runAsIs: TestPool["run"] = (spec, { signal = new AbortController().signal } = {}) =>
    pool.run(spec, {
      signal,
      files: folders.files,
      evidence: folders.evidence,
      began: () => undefined,
      output: bytes => void output.push(Buffer.from(bytes)),
    })

  return {
    pool,
    folders,
    tag,
    runAsIs,
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
