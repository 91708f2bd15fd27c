import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { failure, type OpenConversation } from "@harness/protocol"
import { assembleAgent } from "./assemble.ts"
import type { OpenContext } from "./context.ts"
import { projectFolder } from "./folder.ts"
import { createHeld } from "./held.ts"
import type { Agent } from "./loop/agent.ts"
import { loadParts } from "./parts.ts"
import type { FoundDefinition, Registry } from "./registry/registry.ts"
import { type OpenEnvironment, openEnvironment } from "./scheduler/environment.ts"
import { allowedVariables, workerEnvironment } from "./scheduler/worker-environment.ts"
import { beginState, type Place, placeFor } from "./state.ts"

/**
 * Opens a conversation: everything that can be wrong is found before anything is kept, and the
 * worker starts while the rest loads. What fails leaves nothing behind.
 */
export async function openConversation(
  command: OpenConversation,
  context: OpenContext,
): Promise<{ id: string; agent: Agent }> {
  if (command.agent !== "harness") throw unknownAgent(command.agent)
  const root = await projectFolder(command.folder, context.home)
  const kind = findKind(command.kind, context.registry)
  const held = createHeld()

  try {
    const lease = await context.leases.acquire()
    held.add(async () => lease.release())
    const temp = await realpath(await mkdtemp(join(tmpdir(), "harness-")))
    held.add(() => rm(temp, { recursive: true, force: true }))
    const place = await placeFor(context.ids(), { ...context, root, temp })

    const environment = startEnvironment(kind, place, context)
    held.add(environment.close)
    const loading = loadParts(kind.source.name, { ...context, root })
    const [parts] = await Promise.all([loading, environment.worker()])

    const state = beginState(place, context)
    held.add(state.close)
    const agent = assembleAgent(command, { context, kind, parts, place, state, environment, held })
    return { id: place.id, agent }
  } catch (error) {
    await held.release().catch(() => {})
    throw error
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
  place: Place,
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
    },
  })
}

function unknownAgent(agent: string) {
  const reason = "the only agent is harness; driving others comes with a later version"
  return failure("option_invalid", { option: "--agent", value: agent, reason, command: "run" })
}
