import { failure } from "@harness/protocol"
import type { KindDefinition, PolicyDefinition, ProgramRuntimeDefinition } from "@harness/sdk"
import type { OpenContext } from "./context.ts"
import { type Model, resolveModel } from "./provider/resolve.ts"

/** The definitions that a conversation works with, loaded from the installed packages. */
export type Parts = {
  kind: KindDefinition
  model: Model
  policies: readonly PolicyDefinition[]
  /** Empty in the style `tools`: interpreters are loaded only where they are used. */
  runtimes: readonly ProgramRuntimeDefinition[]
}

/** Loads side by side what the configuration asks for; the first failure is the answer. */
export async function loadParts(kindName: string, context: OpenContext): Promise<Parts> {
  const { registry, config } = context
  const languages = config.style === "programs" ? registry.names("programs") : []
  if (config.style === "programs" && languages.length === 0) {
    throw failure("program_runtime_missing", { language: "any language", known: "none" })
  }

  const [model, kind, policies, runtimes] = await Promise.all([
    resolveModel(config.model, context),
    registry.load("kind", kindName),
    Promise.all(registry.names("policy").map(name => registry.load("policy", name))),
    Promise.all(languages.map(name => registry.load("programs", name))),
  ])
  return { kind, model, policies, runtimes }
}
