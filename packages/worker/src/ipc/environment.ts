import { mkdirSync, realpathSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import {
  failure,
  isFailure,
  isSecretFile,
  WORKER_PROTOCOL,
  type WorkerFrame,
  type WorkerReply,
} from "@harness/protocol"
import { hiddenPaths, type SandboxProvider, sandboxFor } from "@harness/sandbox"
import type { KindDefinition } from "@harness/sdk"
import { loadDefinition } from "@harness/sdk/loading"
import { changeScans } from "../changes/scans.ts"
import { assertContains, workerSandbox } from "../containment/sandbox.ts"
import { payloadsIn } from "../evidence/payloads.ts"
import { replacementsInTurn } from "../files/replace.ts"
import { stagingIn } from "../files/staging.ts"
import { openRoot } from "../files/walk.ts"
import type { Decoder, DecoderOptions } from "../images/decoder.ts"
import { outputsIn } from "../outputs/outputs.ts"
import type { ProjectPaths, ProjectPathsOptions } from "../paths/listing.ts"
import { leastEnvironment } from "../processes/environment.ts"
import { processPool } from "../processes/processes.ts"
import { messageOf } from "../thrown.ts"
import { type Actions, actionsOf, type Send } from "./actions.ts"
import { lookingHost, type World } from "./context.ts"
import { type TicketBook, ticketBook } from "./ticket-book.ts"

export type Hello = Extract<WorkerFrame, { type: "hello" }>

/** The one environment of a worker, once it is open. */
export type OpenEnvironment = {
  actions: Actions
  tickets: TicketBook
  world: World
  /** Loaded when they are first asked for. */
  paths: () => Promise<ProjectPaths>
  guidance: Guidance
}

type Variables = Readonly<Record<string, string | undefined>>

type Guidance = Extract<WorkerReply, { type: "ready" }>["guidance"]

/**
 * Loads the kind and lays out its world. Throws `package_broken`, `sandbox_unavailable` or
 * `worker_failed`.
 */
export async function openEnvironment(
  hello: Hello,
  { send, env }: { send: Send; env: Variables },
): Promise<OpenEnvironment> {
  const provider = providerOf(hello, env)
  const [kind] = await Promise.all([loadDefinition(hello.module, "kind"), assertContains(provider)])
  try {
    const world = worldOf(hello, { provider, env })
    world.scans.prepare()
    const tickets = ticketBook(hello.key)
    const actions = actionsOf({ kind, world, tickets, send })
    let found: Promise<ProjectPaths> | undefined
    const skip = [hello.home, hello.temp, hello.artifacts]
    const paths = () => (found ??= pathsBelow({ root: world.root, skip }))
    return { actions, tickets, world, paths, guidance: await guidanceOf(kind, world) }
  } catch (error) {
    throw isFailure(error) ? error : cannotStart(kind.name, messageOf(error))
  }
}

/** Refuses a controller that speaks another version, before anything else of its hello is read. */
export function assertProtocol(hello: { protocol: number; kind: string }): void {
  if (hello.protocol === WORKER_PROTOCOL) return
  throw cannotStart(
    hello.kind,
    `it speaks version ${WORKER_PROTOCOL} of the protocol and the controller version ${hello.protocol}`,
  )
}

function worldOf(
  hello: Hello,
  { provider, env }: { provider: SandboxProvider; env: Variables },
): World {
  const { platform } = process
  const { artifacts, temp, tag, limits, sandbox } = hello
  // The artifacts' folder appears with the first thing kept: a conversation may yet not begin.
  mkdirSync(temp, { recursive: true, mode: 0o700 })

  const environment = leastEnvironment({
    own: env,
    platform,
    temp,
    allowed: hello.environment,
    tag,
  })
  const commands = workerSandbox({
    provider,
    root: realpathSync(hello.root),
    temp: realpathSync(temp),
    harnessHome: hello.home,
    userHome: env.HOME || homedir(),
    network: hello.network,
    containment: hello.containment,
  })
  // One list for commands and file actions.
  const root = openRoot(hello.root, platform, { hidden: hiddenPaths(commands.policy) })
  const secretFiles = hello.secret_files
  const scans = changeScans({
    root,
    skip: [hello.home, temp, artifacts],
    isSecret: path => isSecretFile(path, secretFiles),
  })
  let decoder: Promise<Decoder> | undefined
  return {
    root,
    limits,
    containment: { sandbox, network: commands.network },
    secretFiles,
    replacements: replacementsInTurn(stagingIn(hello.home)),
    payloads: payloadsIn(artifacts, new Set(hello.redacted)),
    processes: processPool({
      limits,
      artifacts,
      environment,
      sandbox: commands,
      scans,
      tag,
      platform,
    }),
    scans,
    outputs: outputsIn(artifacts),
    decoder: () => (decoder ??= decoderOf({ sandbox: commands, scratch: tmpdir(), tag })),
  }
}

/** Few conversations have an image: what decodes them is loaded with the first one. */
async function decoderOf(options: DecoderOptions): Promise<Decoder> {
  const { createDecoder } = await import("../images/decoder.ts")
  return createDecoder(options)
}

/** Only a person who types asks for paths. */
async function pathsBelow(options: ProjectPathsOptions): Promise<ProjectPaths> {
  const { projectPaths } = await import("../paths/listing.ts")
  return projectPaths(options)
}

function providerOf(hello: Hello, env: Variables): SandboxProvider {
  const { platform, arch } = process
  return sandboxFor(hello.sandbox, {
    platform,
    arch,
    searchPath: env.PATH ?? "",
    folder: join(hello.home, "sandbox"),
    distrusted: [hello.root, hello.temp],
  })
}

async function guidanceOf(kind: KindDefinition, world: World): Promise<Guidance> {
  return (await kind.guidance?.(lookingHost(world, []))) ?? null
}

function cannotStart(kind: string, reason: string) {
  return failure("worker_failed", { kind, reason })
}
