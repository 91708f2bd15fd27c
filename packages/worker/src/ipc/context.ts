import { rmSync } from "node:fs"
import {
  type Effect,
  type ImageLimits,
  isSecretFile,
  type Json,
  type Limits,
  type Permit,
  type ProcessReceipt,
} from "@harness/protocol"
import type {
  ActionContext,
  CommandContainment,
  EnvironmentHost,
  Files,
  LeftOut,
  Outputs,
  Processes,
} from "@harness/sdk"
import type { ChangeScans } from "../changes/scans.ts"
import { type ActionEvidence, actionEvidence } from "../evidence/action-evidence.ts"
import type { Payloads } from "../evidence/payloads.ts"
import { confinedFiles } from "../files/files.ts"
import { guardOf } from "../files/guard.ts"
import type { Replacements } from "../files/replace.ts"
import { type Root, shown } from "../files/walk.ts"
import { type ActionImages, actionImages } from "../images/action-images.ts"
import type { Decoder } from "../images/decoder.ts"
import type { LeftProcess, ProcessOwner, ProcessPool } from "../processes/processes.ts"
import type { LiveText } from "./live-text.ts"

/** The world as the worker holds it for one environment. */
export type World = {
  root: Root
  limits: Limits
  containment: CommandContainment
  /** Names of files that hold secrets. */
  secretFiles: readonly string[]
  replacements: Replacements
  payloads: Payloads
  processes: ProcessPool
  scans: ChangeScans
  outputs: Outputs
  /** Loaded with the first image. */
  decoder: () => Promise<Decoder>
}

/** What a kind gets while it may only look: at its start, and for previews. */
export function lookingHost(world: World, permits: readonly Permit[]): EnvironmentHost {
  const { root, limits, containment, secretFiles, replacements, processes, outputs } = world
  const guard = guardOf({ permits, secretFiles })
  return {
    root: root.path,
    limits,
    containment,
    isSecret: path => isSecretFile(path, secretFiles),
    leftOut: leftOut(world),
    files: confinedFiles({ root, guard, replacements, evidence: undefined }),
    processes: {
      ...watching(processes),
      run: onlyInRun,
      start: onlyInRun,
      cancel: onlyInRun,
    },
    outputs,
  }
}

export type Acting = {
  effect: Effect
  basis: Json
  signal: AbortSignal
  permits: readonly Permit[]
  grantBytes: number
  images: ImageLimits | undefined
  live: LiveText
  /** Told of each process that will leave a receipt, before it is there. */
  starting(id: string): void
}

/** An action's context, and what the action left when it has ended. */
export type ActingContext = {
  context: ActionContext & { basis: Json }
  evidence: ActionEvidence
  images: ActionImages
  /** Of the last process that it ran for the model; `running` when the process outlives it. */
  receipt(): ProcessReceipt | undefined
  /** What it has left running. */
  left(): readonly LeftProcess[]
  /** Throws away what was only for the action itself. */
  dispose(): void
}

export function actingContext(world: World, acting: Acting): ActingContext {
  const { root, limits, containment, replacements, outputs } = world
  const { signal, live } = acting
  const evidence = actionEvidence(world.payloads, acting.grantBytes)
  const { decoder } = world
  const images = actionImages({ images: acting.images, limits, evidence, decoder, signal })
  // Policy judged the effect: an action that declared to read does not get to write.
  const mayWrite = acting.effect !== "read" && acting.effect !== "observe"
  const confined = confinedFiles({
    root,
    guard: guardOf({ permits: acting.permits, secretFiles: world.secretFiles }),
    replacements,
    evidence: mayWrite ? evidence : undefined,
  })
  const files = {
    ...confined,
    async replace(...replacement) {
      const replaced = await confined.replace(...replacement)
      if (replaced.status === "written") world.scans.wrote(replaced.path, replaced.sha256)
      return replaced
    },
  } satisfies Files
  const scratch: string[] = []
  const left: LeftProcess[] = []
  const owner: ProcessOwner = {
    signal,
    files,
    evidence,
    permits: acting.permits,
    output: live.bytes,
    began(folder, spec) {
      if (spec.scratch === true) scratch.push(folder)
    },
    starting: acting.starting,
    left: process => void left.push(process),
  }
  let receipt: ProcessReceipt | undefined

  const context = {
    root: root.path,
    limits,
    containment,
    isSecret: path => isSecretFile(path, world.secretFiles),
    leftOut: leftOut(world),
    basis: acting.basis,
    signal,
    files,
    outputs,
    processes: {
      ...watching(world.processes),
      async run(spec) {
        const end = await world.processes.run(spec, owner)
        if (spec.scratch !== true) receipt = end.receipt
        return end
      },
      async start(spec, ready) {
        if (!mayWrite) throw new Error("an action that only reads may not start what outlives it")
        const start = await world.processes.start(spec, ready, owner)
        receipt = start.receipt
        return start
      },
      async cancel(id) {
        if (!mayWrite) throw new Error("an action that only reads may not end a process")
        return world.processes.cancel(id)
      },
    },
    report: live.text,
    keep: async (role, bytes) => evidence.keep([{ role, bytes }])?.[0] ?? null,
    images,
    kept: async sha256 => world.payloads.get(sha256),
  } satisfies ActingContext["context"]
  const dispose = () => {
    for (const folder of scratch) rmSync(folder, { recursive: true, force: true })
  }
  return { context, evidence, images, receipt: () => receipt, left: () => left, dispose }
}

function leftOut({ root, secretFiles }: World): LeftOut {
  return { secretFiles, places: root.hidden.map(shown) }
}

function watching({ status, list }: ProcessPool): Pick<Processes, "status" | "list"> {
  return { status, list }
}

async function onlyInRun(): Promise<never> {
  throw new Error("processes may be started and ended by an action's run only")
}
