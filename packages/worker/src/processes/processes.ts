import { randomUUID } from "node:crypto"
import { join } from "node:path"
import type { Limits, Permit, ProcessReceipt } from "@harness/protocol"
import type {
  Files,
  ListedProcess,
  ProcessEnd,
  ProcessSpec,
  ProcessStart,
  ReadyOptions,
} from "@harness/sdk"
import type { ChangeScans } from "../changes/scans.ts"
import { neighbourhoodOf } from "../containment/neighbourhood.ts"
import type { WorkerSandbox } from "../containment/sandbox.ts"
import type { ActionEvidence } from "../evidence/action-evidence.ts"
import { companyOf } from "./company.ts"
import { groupsOf } from "./groups.ts"
import { launch, type Means, type RunningProcess } from "./launch.ts"
import { readiness } from "./ready.ts"
import { startReaper } from "./reaper.ts"
import { keptEnd, newRecord, notStarted } from "./record.ts"
import { outputSlots } from "./slots.ts"
import { sparesOf } from "./spare.ts"

/** All processes of one worker. */
export interface ProcessPool {
  run(spec: ProcessSpec, owner: ProcessOwner): Promise<ProcessEnd>
  /** Starts a process that outlives its action; tells the owner of what is left running. */
  start(
    spec: ProcessSpec,
    ready: ReadyOptions | undefined,
    owner: ProcessOwner,
  ): Promise<ProcessStart>
  status(id: string): Promise<ProcessEnd | null>
  list(): Promise<ListedProcess[]>
  cancel(id: string): Promise<ProcessEnd | null>
  /** Ends every process and what ended ones left behind. Resolves to the receipts of those that ran. */
  close(): Promise<ProcessReceipt[]>
}

/** The action that a process belongs to. */
export type ProcessOwner = {
  signal: AbortSignal
  files: Files
  evidence: ActionEvidence
  /** What policy let it do beyond its effect. */
  permits: readonly Permit[]
  /** Told where a process leaves its output, before anything of it is there. */
  began(folder: string, spec: ProcessSpec): void
  /** Told the id of a process that leaves a receipt, right before it is spawned. */
  starting(id: string): void
  /** Told of a process that runs on when the action ends, with what it may use of the grant. */
  left(process: LeftProcess): void
  /** Kept output as it comes; the bytes are only lent. */
  output(bytes: Buffer): void
}

export type LeftProcess = { ended: Promise<ProcessEnd>; evidence: ActionEvidence }

export type ProcessPoolOptions = {
  limits: Limits
  artifacts: string
  /** What every command inherits, the tag included. */
  environment: Readonly<Record<string, string>>
  sandbox: WorkerSandbox
  /** Finds out what a process changed. */
  scans: ChangeScans
  /** Marks the processes for the reaper. */
  tag: string
  platform: NodeJS.Platform
}

export function processPool(options: ProcessPoolOptions): ProcessPool {
  const { limits, artifacts, tag, environment } = options
  const running = new Set<RunningProcess>()
  /** What was started to run on, by its id. */
  const started = new Map<string, { command: string; process: RunningProcess }>()
  let means: Promise<Means> | undefined
  let places = limits.processes
  let closing = false

  return {
    async run(spec, owner) {
      const launched = await enter(spec, owner, { outlives: false })
      if (launched.status === "not_started") return launched.end

      const { process } = launched
      const cancel = () => process.stop("cancelled")
      owner.signal.addEventListener("abort", cancel)
      const end = await process.ended
      owner.signal.removeEventListener("abort", cancel)
      return end
    },

    async start(spec, wanted, owner) {
      const readied = await readiness(wanted, { tag, platform: options.platform })
      const evidence = owner.evidence.lend()
      const output = (bytes: Buffer) => {
        readied.take(bytes)
        owner.output(bytes)
      }
      const launched = await enter(spec, { ...owner, evidence, output }, { outlives: true })
      if (launched.status === "not_started") {
        owner.evidence.reclaim(evidence)
        return { ...launched.end, ready: "ended" }
      }
      const { process } = launched
      started.set(process.id, { command: commandOf(spec), process })
      const cancel = () => process.stop("cancelled")
      owner.signal.addEventListener("abort", cancel)
      const ready = await readied.wait(process.ended)
      owner.signal.removeEventListener("abort", cancel)

      const now = process.now()
      if (now.receipt.status === "running") owner.left({ ended: process.ended, evidence })
      else owner.evidence.reclaim(evidence)
      return { ...now, ready }
    },

    async status(name) {
      const id = name.replace(/^output:/, "")
      return started.get(id)?.process.now() ?? keptEnd(artifacts, id, limits)
    },

    async list() {
      return [...started.values()].map(({ command, process }) => ({
        receipt: process.now().receipt,
        command,
      }))
    },

    async cancel(name) {
      const id = name.replace(/^output:/, "")
      const process = started.get(id)?.process
      if (process === undefined) return keptEnd(artifacts, id, limits)
      process.stop("cancelled")
      return await process.ended
    },

    async close() {
      closing = true
      const open = [...running]
      for (const process of open) process.stop("session_closed")
      const ends = await Promise.all(open.map(process => process.ended))
      if (means !== undefined) await dismiss(await means)
      return ends.map(({ receipt }) => receipt)
    },
  }

  /** Launches into a free place, which is free again when the process has ended. */
  async function enter(
    spec: ProcessSpec,
    owner: ProcessOwner,
    { outlives }: { outlives: boolean },
  ): ReturnType<typeof launch> {
    const record = newRecord(artifacts, { scratch: spec.scratch === true })
    owner.began(record.folder, spec)
    const refuse = (reason: string) => ({
      status: "not_started" as const,
      end: notStarted(record, reason),
    })
    if (record.problem !== undefined) return refuse(record.problem)
    if (places === 0) return refuse("too_many_processes")

    places -= 1
    const launched = await launch({
      record,
      spec,
      owner,
      limits,
      environment,
      platform: options.platform,
      sandbox: options.sandbox,
      scans: options.scans,
      means: () => (means ??= startMeans(options)),
      outlives,
      closing: () => closing,
    })
    if (launched.status === "not_started") {
      places += 1
      return launched
    }
    const { process } = launched
    running.add(process)
    void process.ended.then(() => {
      running.delete(process)
      places += 1
    })
    return launched
  }
}

function commandOf({ argv, shell }: ProcessSpec): string {
  return shell ?? argv?.join(" ") ?? ""
}

async function startMeans(options: ProcessPoolOptions): Promise<Means> {
  const { artifacts, limits, platform, tag, environment } = options
  const records = join(artifacts, "processes")
  const folder = join(records, `.fifos-${randomUUID()}`)
  const starting = startReaper({
    tag,
    folder,
    // One for each process, and one for the sandbox that waits.
    slots: limits.processes + 1,
    records,
    previewBytes: limits.preview_bytes,
    path: environment.PATH ?? "",
  })
  const [reaper, neighbourhood] = await Promise.all([starting, neighbourhoodOf(options.sandbox)])
  const groups = groupsOf({ reaper, graceSeconds: limits.grace_seconds, platform })
  const company = companyOf()
  const slots = outputSlots(reaper)
  const spares = sparesOf({ sandbox: options.sandbox, slots, company, folder })
  return { reaper, groups, company, slots, neighbourhood, spares }
}

async function dismiss({ reaper, groups, neighbourhood, spares }: Means): Promise<void> {
  groups.endLeftovers()
  await spares.close()
  neighbourhood.close()
  await reaper.dismiss()
}
