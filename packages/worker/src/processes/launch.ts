import type { Limits } from "@harness/protocol"
import type { ProcessEnd, ProcessSpec } from "@harness/sdk"
import type { ChangeScans } from "../changes/scans.ts"
import type { Neighbourhood } from "../containment/neighbourhood.ts"
import { containmentOf, sandboxProblem } from "../containment/receipt.ts"
import { networkFor, type WorkerSandbox } from "../containment/sandbox.ts"
import { codeOf } from "../thrown.ts"
import { type Capture, type CaptureOptions, captureTo } from "./capture.ts"
import { commandOf } from "./command.ts"
import type { Company } from "./company.ts"
import type { Groups } from "./groups.ts"
import type { ProcessOwner } from "./processes.ts"
import type { Reaper } from "./reaper.ts"
import { ended, notStarted, type ProcessRecord, running } from "./record.ts"
import type { OutputSlots } from "./slots.ts"
import type { Spares } from "./spare.ts"
import { spawnGroup } from "./spawn.ts"
import { type StopStatus, supervise } from "./supervise.ts"

/** A process that was spawned. */
export interface RunningProcess {
  readonly id: string
  /** What it has come to until now. */
  now(): ProcessEnd
  stop(status: StopStatus): void
  readonly ended: Promise<ProcessEnd>
}

export type Launched =
  | { status: "running"; process: RunningProcess }
  | { status: "not_started"; end: ProcessEnd }

export type LaunchOptions = {
  record: ProcessRecord
  spec: ProcessSpec
  owner: ProcessOwner
  limits: Limits
  environment: Readonly<Record<string, string>>
  platform: NodeJS.Platform
  sandbox: WorkerSandbox
  scans: ChangeScans
  means: () => Promise<Means>
  /** Without a deadline of its own it has none. */
  outlives: boolean
  /** True once nothing may start any more. */
  closing: () => boolean
}

/** What processes are started with: made with the first command, many conversations never run one. */
export type Means = {
  reaper: Reaper
  groups: Groups
  company: Company
  slots: OutputSlots
  neighbourhood: Neighbourhood
  spares: Spares
}

/** Starts a process, or says in a final receipt why not. Never rejects. */
export async function launch(options: LaunchOptions): Promise<Launched> {
  const { record, spec, owner, limits, environment, platform, sandbox } = options
  const { files } = owner
  const command = await commandOf(spec, { files, limits, environment, platform })
  if ("reason" in command) return { status: "not_started", end: notStarted(record, command.reason) }
  const network = networkFor(spec, sandbox, owner.permits)
  if (network === undefined) {
    return { status: "not_started", end: notStarted(record, "network_denied") }
  }
  const isRecorded = spec.scratch !== true
  const [{ groups, company, slots, reaper, neighbourhood, spares }, scan] = await Promise.all([
    options.means(),
    isRecorded ? options.scans.before(record.id) : undefined,
  ])
  const spare = maySpare(options) ? await spares.take() : undefined
  const refuse = (reason: string): Launched => {
    scan?.abandon()
    spare?.discard()
    return { status: "not_started", end: notStarted(record, reason) }
  }
  const obstacle = obstacleOf(options)
  if (obstacle !== undefined) return refuse(obstacle)

  let stop = (_status: StopStatus) => {}
  const capture = openCapture({
    file: record.output,
    limitBytes: limits.output_bytes,
    previewBytes: limits.preview_bytes,
    grant: bytes => (spec.scratch === true ? bytes : owner.evidence.take(bytes)),
    // Standard output alone is for a parser, not for people.
    kept: (spec.streams ?? "both") === "both" ? owner.output : () => undefined,
    full: () => stop("output_limit"),
  })
  if ("reason" in capture) return refuse(capture.reason)

  if (isRecorded) {
    owner.starting(record.id)
    reaper.begin({ id: record.id, contained: sandbox.provider.name === "bubblewrap" })
  }
  const settled = (end: ProcessEnd): ProcessEnd => {
    if (isRecorded) reaper.finish(record.id)
    return end
  }

  const startedAtMs = performance.now()
  const controlled = scan?.controlled ?? []
  const neighbours = neighbourhood.namespaces
  const { alone, leave } = company.enter()
  const { cwd, env } = command
  const ready = spare?.start(command, { cwd, env, network, neighbours, controlled })
  const slot = ready?.slot ?? slots.take(spec.streams ?? "both")
  const contained = { sandbox, network, neighbours, controlled, alone }
  const stdio = { stdio: slot.channel.stdio, folder: record.folder }
  const spawned = ready ?? (await spawnGroup({ command, ...contained, ...stdio }))
  if (spawned.status === "not_started") {
    leave()
    slot.channel.abandon()
    slot.release(true)
    capture.finish()
    scan?.abandon()
    return { status: "not_started", end: settled(notStarted(record, spawned.reason)) }
  }

  // No gate holds the command back until it is registered: that costs a round trip for each one.
  // A worker that is killed before this line leaves a group that the reaper finds by the tag.
  groups.add(spawned.group)
  const supervised = supervise({
    child: spawned.child,
    group: spawned.group,
    groups,
    channel: slot.channel,
    terminate: spawned.terminate,
    take: capture.take,
    startedAtMs,
    timeoutSeconds:
      options.outlives && spec.timeoutSeconds === undefined ? undefined : command.timeoutSeconds,
    graceSeconds: limits.grace_seconds,
  })
  stop = supervised.stop

  let end: ProcessEnd | undefined
  const ending = supervised.ended.then(async how => {
    leave(spawned.commandGroup())
    slot.release(how.drained)
    const captured = capture.finish()
    if (!spawned.ran(how)) {
      scan?.abandon()
      end = settled(notStarted(record, sandboxProblem(captured)))
      return end
    }
    const { changes, ...touched } = (await scan?.after(owner.evidence)) ?? {}
    const contained = containmentOf(sandbox, network, { end: how, captured })
    end = settled(
      ended(record, how, captured, { containment: { ...contained, ...touched }, changes }),
    )
    if (maySpare(options) && !options.outlives) {
      // Once the end is told: while the model is waited for nobody waits for us.
      const like = { cwd, env: environment, network: sandbox.network, neighbours, controlled }
      setImmediate(() => spares.prepare(like))
    }
    return end
  })
  const now = () => {
    const captured = capture.soFar()
    const contained = containmentOf(sandbox, network, { captured })
    return running(record, performance.now() - startedAtMs, captured, contained)
  }
  return {
    status: "running",
    process: {
      id: record.id,
      now: () => end ?? now(),
      stop: supervised.stop,
      ended: ending,
    },
  }
}

/** What is most often asked for; the others' programs might not be there in their sandbox. */
function maySpare({ spec }: LaunchOptions): boolean {
  return spec.shell !== undefined && spec.scratch !== true && (spec.streams ?? "both") === "both"
}

function obstacleOf({ spec, owner, closing }: LaunchOptions): string | undefined {
  if (closing()) return "session_closed"
  if (owner.signal.aborted) return "cancelled"
  if (spec.scratch === true) return undefined
  return owner.evidence.remainingBytes === 0 ? "evidence_exhausted" : undefined
}

function openCapture(options: CaptureOptions): Capture | { reason: string } {
  try {
    return captureTo(options)
  } catch (error) {
    return { reason: `its output cannot be kept: ${codeOf(error)}` }
  }
}
