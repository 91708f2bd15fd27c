import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Config, type ConfigValue, failure, type OpenConversation } from "@harness/protocol"
import { assembleAgent } from "./assemble.ts"
import type { OpenContext } from "./context.ts"
import { projectFolder } from "./folder.ts"
import { createHeld, type Held } from "./held.ts"
import type { Agent } from "./loop/agent.ts"
import { loadParts, type Parts } from "./parts.ts"
import type { FoundDefinition, Registry } from "./registry/registry.ts"
import type { ConversationToResume } from "./resume/found.ts"
import { noPast, type Past } from "./resume/past.ts"
import { type OpenEnvironment, openEnvironment } from "./scheduler/environment.ts"
import { allowedVariables, workerEnvironment } from "./scheduler/worker-environment.ts"
import { beginState, type Place, placeFor, type State } from "./state.ts"

/** A conversation that is about to be opened, whether it is new or goes on. */
export type Beginning = {
  place: Place
  config: Config
  /** The kind of its environment, unless another one is named. */
  kind: string | undefined
  /** Contents that are not to be kept again. */
  redacted: readonly string[]
  /** Makes or opens its durable state: from here on it is written to. What it takes is held. */
  begin(parts: Parts, environment: OpenEnvironment): Promise<Begun>
}

export type Begun = { state: State; past: Past }

/** One that goes on: which one, and what the configuration came from. */
export type Resume = ConversationToResume & { values: readonly ConfigValue[] }

/**
 * Opens a conversation: everything that can be wrong is found before anything is kept, and the
 * worker starts while the rest loads. What fails leaves nothing behind.
 */
export async function openConversation(
  command: OpenConversation,
  given: OpenContext,
  resume?: Resume,
): Promise<{ id: string; agent: Agent }> {
  if (command.agent !== "harness") throw unknownAgent(command.agent)
  const root = resume?.folder ?? (await projectFolder(command.folder, given.home))
  // Before the folder gets a key: a kind that there is not leaves no trace.
  if (resume === undefined) findKind(command.kind, given.registry)
  const held = createHeld()

  try {
    const temp = await realpath(await mkdtemp(join(tmpdir(), "harness-")))
    held.add(() => rm(temp, { recursive: true, force: true }))
    const beginning =
      resume === undefined
        ? await newConversation({ root, temp, held, context: given })
        : (await import("./resume/take-up.ts")).takeUp(resume, {
            temp,
            values: resume.values,
            held,
            context: given,
          })
    const { place, config } = beginning
    const context = { ...given, config }
    const kind = findKind(command.kind ?? beginning.kind, context.registry)
    const lease = await context.leases.acquire()
    held.add(async () => lease.release())

    const environment = startEnvironment(kind, beginning, context)
    held.add(environment.close)
    const loading = loadParts(kind.source.name, { ...context, root })
    const [parts] = await Promise.all([loading, environment.worker()])

    const begun = await beginning.begin(parts, environment)
    const agent = assembleAgent(command, {
      context,
      kind,
      parts,
      place,
      environment,
      held,
      ...begun,
    })
    return { id: place.id, agent }
  } catch (error) {
    await held.release().catch(() => {})
    throw error
  }
}

async function newConversation({
  root,
  temp,
  held,
  context,
}: {
  root: string
  temp: string
  held: Held
  context: OpenContext
}): Promise<Beginning> {
  const place = await placeFor(context.ids(), { ...context, root, temp })
  return {
    place,
    config: context.config,
    kind: undefined,
    redacted: [],
    async begin() {
      const state = beginState(place, context)
      held.add(state.close)
      return { state, past: noPast() }
    },
  }
}
/** The kind that was named; else `project` where it is installed, else the first one. */
function findKind(name: string | undefined, registry: Registry): FoundDefinition {
  const known = registry.names("kind")
  if (known.length === 0) throw failure("kind_not_installed", {})
  const wanted = name ?? (known.includes("project") ? "project" : known[0])
  const found = wanted === undefined ? undefined : registry.find("kind", wanted)
  if (found === undefined) {
    throw failure("kind_unknown", { kind: name ?? "", known: known.join(", ") })
  }
  return found
}

function startEnvironment(
  kind: FoundDefinition,
  { place, redacted }: Beginning,
  { config, env, home, worker, random }: OpenContext,
): OpenEnvironment {
  return openEnvironment({
    kind: kind.source.name,
    module: kind.source,
    worker,
    // Its commands do not inherit this: their environment is built from a list.
    env: { ...workerEnvironment(env), NODE_COMPILE_CACHE: join(home, "cache", "compile") },
    random,
    hello: {
      root: place.root,
      temp: place.temp,
      artifacts: place.artifacts,
      limits: config.limits,
      environment: allowedVariables(env, config.environment.allow),
      sandbox: config.sandbox,
      network: config.network,
      home,
      containment: config.containment,
      secret_files: config.secrets.files,
      ...(redacted.length > 0 && { redacted: [...redacted] }),
    },
  })
}

function unknownAgent(agent: string) {
  const reason = "the only agent is harness; driving others comes with a later version"
  return failure("option_invalid", { option: "--agent", value: agent, reason, command: "run" })
}
