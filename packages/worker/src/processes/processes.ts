import { randomUUID } from "node:crypto"
import { join } from "node:path"
import type { Limits, ProcessReceipt } from "@harness/protocol"
import type { Files, ProcessEnd, ProcessSpec } from "@harness/sdk"
import type { ActionEvidence } from "../evidence/action-evidence.ts"
import { codeOf } from "../thrown.ts"
import { type Capture, type CaptureOptions, captureTo } from "./capture.ts"
import { commandOf } from "./command.ts"
import { type Groups, groupsOf } from "./groups.ts"
import { type Reaper, startReaper } from "./reaper.ts"
import { ended, newRecord, notStarted, type ProcessRecord } from "./record.ts"
import { type OutputSlots, outputSlots } from "./slots.ts"
import { spawnGroup } from "./spawn.ts"
import { type Supervised, supervise } from "./supervise.ts"

/** All processes of one worker. */
export interface ProcessPool {
  run(spec: ProcessSpec, owner: ProcessOwner): Promise<ProcessEnd>
  /** Ends every process and what ended ones left behind. Resolves to the receipts of those that ran. */
  close(): Promise<ProcessReceipt[]>
}

/** The action that a process belongs to. */
export type ProcessOwner = {
  signal: AbortSignal
  files: Files
  evidence: ActionEvidence
  /** Told where a process leaves its output, before it starts. */
  began(folder: string, spec: ProcessSpec): void
  /** Kept output as it comes; the bytes are only lent. */
  output(bytes: Buffer): void
}

export type ProcessPoolOptions = {
  limits: Limits
  artifacts: string
  /** What every command inherits, the tag included. */
  environment: Readonly<Record<string, string>>
  /** Marks the processes for the reaper. */
  tag: string
  platform: NodeJS.Platform
}

/** What is made with the first command: many conversations never run one. */
type Means = { reaper: Reaper; groups: Groups; slots: OutputSlots }

export function processPool(options: ProcessPoolOptions): ProcessPool {
  const { limits, artifacts } = options
  const running = new Map<Supervised, Promise<ProcessEnd>>()
  let means: Promise<Means> | undefined
  let places = limits.processes
  let closing = false

  return {
    async run(spec, owner) {
      const record = newRecord(artifacts, { scratch: spec.scratch === true })
      owner.began(record.folder, spec)
      if (record.problem !== undefined) return notStarted(record, record.problem)
      if (places === 0) return notStarted(record, "too_many_processes")
      places -= 1
      try {
        return await start(record, spec, owner)
      } finally {
        places += 1
      }
    },

    async close() {
      closing = true
      for (const supervised of running.keys()) supervised.stop("session_closed")
      const ends = await Promise.all(running.values())
      if (means !== undefined) await dismiss(await means)
      return ends.map(({ receipt }) => receipt)
    },
  }

  async function start(
    record: ProcessRecord,
    spec: ProcessSpec,
    owner: ProcessOwner,
  ): Promise<ProcessEnd> {
    const { environment } = options
    const command = await commandOf(spec, { files: owner.files, limits, environment })
    if ("reason" in command) return notStarted(record, command.reason)

    means ??= startMeans(options)
    const { groups, slots } = await means
    const obstacle = obstacleOf(spec, owner)
    if (obstacle !== undefined) return notStarted(record, obstacle)

    const streams = spec.streams ?? "both"
    const capture = openCapture({
      file: record.output,
      limitBytes: limits.output_bytes,
      previewBytes: limits.preview_bytes,
      grant: bytes => (spec.scratch === true ? bytes : owner.evidence.take(bytes)),
      // Standard output alone is for a parser, not for people.
      kept: streams === "both" ? owner.output : () => undefined,
      full: () => supervised.stop("output_limit"),
    })
    if ("reason" in capture) return notStarted(record, capture.reason)

    const slot = slots.take(streams)
    const startedAtMs = performance.now()
    const spawned = await spawnGroup(command, slot.channel.stdio)
    if (spawned.status === "not_started") {
      slot.channel.abandon()
      slot.release(true)
      capture.finish()
      return notStarted(record, spawned.reason)
    }

    // No gate holds the command back until it is registered: that costs a round trip for each one.
    // A worker that is killed before this line leaves a group that the reaper finds by the tag.
    groups.add(spawned.group)
    const supervised = supervise({
      child: spawned.child,
      group: spawned.group,
      groups,
      channel: slot.channel,
      take: capture.take,
      startedAtMs,
      timeoutSeconds: command.timeoutSeconds,
      graceSeconds: limits.grace_seconds,
    })
    const cancel = () => supervised.stop("cancelled")
    owner.signal.addEventListener("abort", cancel)

    const ending = supervised.ended.then(end => {
      owner.signal.removeEventListener("abort", cancel)
      running.delete(supervised)
      slot.release(end.drained)
      return ended(record, end, capture.finish())
    })
    running.set(supervised, ending)
    return await ending
  }

  function obstacleOf(spec: ProcessSpec, owner: ProcessOwner): string | undefined {
    if (closing) return "session_closed"
    if (owner.signal.aborted) return "cancelled"
    if (spec.scratch === true) return undefined
    return owner.evidence.remainingBytes === 0 ? "evidence_exhausted" : undefined
  }
}

function openCapture(options: CaptureOptions): Capture | { reason: string } {
  try {
    return captureTo(options)
  } catch (error) {
    return { reason: `its output cannot be kept: ${codeOf(error)}` }
  }
}

async function startMeans(options: ProcessPoolOptions): Promise<Means> {
  const { artifacts, limits, platform, tag, environment } = options
  const reaper = await startReaper({
    tag,
    folder: join(artifacts, "processes", `.fifos-${randomUUID()}`),
    slots: limits.processes,
    path: environment.PATH ?? "",
  })
  const groups = groupsOf({ reaper, graceSeconds: limits.grace_seconds, platform })
  return { reaper, groups, slots: outputSlots(reaper) }
}

async function dismiss({ reaper, groups }: Means): Promise<void> {
  groups.endLeftovers()
  await reaper.dismiss()
}
