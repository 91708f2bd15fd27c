import { rmSync } from "node:fs"
import {
  type Effect,
  isSecretFile,
  type Json,
  type Limits,
  type ProcessReceipt,
} from "@harness/protocol"
import type { ActionContext, CommandContainment, EnvironmentHost, Outputs } from "@harness/sdk"
import { type ActionEvidence, actionEvidence } from "../evidence/action-evidence.ts"
import type { Payloads } from "../evidence/payloads.ts"
import { confinedFiles } from "../files/files.ts"
import type { Replacements } from "../files/replace.ts"
import type { Root } from "../files/walk.ts"
import type { ProcessOwner, ProcessPool } from "../processes/processes.ts"
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
  outputs: Outputs
}

/** What a kind gets while it may only look: at its start, and for previews. */
export function lookingHost({
  root,
  limits,
  containment,
  secretFiles,
  replacements,
  outputs,
}: World): EnvironmentHost {
  return {
    root: root.path,
    limits,
    containment,
    isSecret: path => isSecretFile(path, secretFiles),
    files: confinedFiles({ root, replacements, evidence: undefined }),
    processes: {
      run: async () => {
        throw new Error("processes may be started by an action's run only")
      },
    },
    outputs,
  }
}

export type Acting = {
  effect: Effect
  basis: Json
  signal: AbortSignal
  grantBytes: number
  live: LiveText
}

/** An action's context, and what the action left when it has ended. */
export type ActingContext = {
  context: ActionContext & { basis: Json }
  evidence: ActionEvidence
  /** Of the last process that it ran for the model. */
  receipt(): ProcessReceipt | undefined
  /** Throws away what was only for the action itself. */
  dispose(): void
}

export function actingContext(world: World, acting: Acting): ActingContext {
  const { root, limits, containment, replacements, outputs } = world
  const { signal, live } = acting
  const evidence = actionEvidence(world.payloads, acting.grantBytes)
  // Policy judged the effect: an action that declared to read does not get to write.
  const mayWrite = acting.effect !== "read" && acting.effect !== "observe"
  const files = confinedFiles({ root, replacements, evidence: mayWrite ? evidence : undefined })
  const scratch: string[] = []
  const owner: ProcessOwner = {
    signal,
    files,
    evidence,
    output: live.bytes,
    began(folder, spec) {
      if (spec.scratch === true) scratch.push(folder)
    },
  }
  let receipt: ProcessReceipt | undefined

  const context = {
    root: root.path,
    limits,
    containment,
    isSecret: path => isSecretFile(path, world.secretFiles),
    basis: acting.basis,
    signal,
    files,
    outputs,
    processes: {
      async run(spec) {
        const end = await world.processes.run(spec, owner)
        if (spec.scratch !== true) receipt = end.receipt
        return end
      },
    },
    report: live.text,
    keep: async (role, bytes) => evidence.keep([{ role, bytes }])?.[0] ?? null,
  } satisfies ActingContext["context"]
  const dispose = () => {
    for (const folder of scratch) rmSync(folder, { recursive: true, force: true })
  }
  return { context, evidence, receipt: () => receipt, dispose }
}
