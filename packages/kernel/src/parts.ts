import { failure, type Rule } from "@harness/protocol"
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
export async function loadParts(
  kindName: string,
  { root, ...context }: OpenContext & { root: string },
): Promise<Parts> {
  const { registry, config, project } = context
  const [model, kind, policies, runtimes] = await Promise.all([
    resolveModel(config.model, context),
    registry.load("kind", kindName),
    loadPolicies(registry, project.rules, root),
    config.style === "programs" ? loadRuntimes(registry) : [],
  ])
  return { kind, model, policies, runtimes }
}

/** Interpreters of every language that is installed. Throws `program_runtime_missing` without any. */
export async function loadRuntimes(
  registry: OpenContext["registry"],
): Promise<ProgramRuntimeDefinition[]> {
  const languages = registry.names("programs")
  if (languages.length === 0) {
    throw failure("program_runtime_missing", { language: "any language", known: "none" })
  }
  return Promise.all(languages.map(name => registry.load("programs", name)))
}

/** Those of packages, and the project's own rules, which can tighten as they can. */
async function loadPolicies(
  registry: OpenContext["registry"],
  rules: readonly Rule[],
  root: string,
): Promise<PolicyDefinition[]> {
  const names = registry.names("policy")
  const loaded = await Promise.all(names.map(name => registry.load("policy", name)))
  if (rules.length === 0) return loaded
  const { projectPolicy } = await import("./policy/project-rules.ts")
  return [...loaded, projectPolicy(rules, root)]
}
