import { readFileSync, realpathSync } from "node:fs"
import { findPackageJSON, registerHooks } from "node:module"
import { fileURLToPath, pathToFileURL } from "node:url"
import { failure, type ModuleSource, PackageJson } from "@harness/protocol"
import { isDefinition } from "./brand.ts"
import type { KindDefinition } from "./kind.ts"
import type { PolicyDefinition } from "./policy.ts"
import type { ProgramRuntimeDefinition } from "./programs.ts"
import type { ProviderDefinition } from "./provider.ts"

/** The definition that each type of contribution stands for. */
export type Definitions = {
  kind: KindDefinition
  provider: ProviderDefinition
  programs: ProgramRuntimeDefinition
  policy: PolicyDefinition
}

/**
 * Imports a package's module and finds the definition with that type and name among its exports.
 * The package shares the host's copies of `source.hosted`; a linked checkout's TypeScript runs as
 * it is. Throws `package_broken` with the reason.
 *
 * @example
 * const kind = await loadDefinition(source, "kind")
 */
export async function loadDefinition<Type extends keyof Definitions>(
  source: ModuleSource,
  type: Type,
): Promise<Definitions[Type]> {
  const exported = await importGuest(source)
  const found = Object.values(exported).filter(value => isDefinitionOf(value, type))
  const definition = found.find(({ name }) => name === source.name)
  if (definition !== undefined) return definition

  const others = found.map(({ name }) => name).join(", ") || "none"
  throw broken(source, `it exports no ${type} named ${source.name} (exported: ${others})`)
}

async function importGuest(source: ModuleSource): Promise<Record<string, unknown>> {
  try {
    // Node runs TypeScript only outside node_modules: a link is followed to the checkout.
    const url = pathToFileURL(realpathSync(fileURLToPath(source.url))).href
    shareHostModules(url, source)
    return await import(url)
  } catch (error) {
    throw broken(source, reasonOf(error), error)
  }
}

/**
 * Module hooks belong to the whole process, so what is known of the guests does too: the module that
 * each one begins with, and all that it leads to.
 */
const guests = new Map<string, ModuleSource>()

function shareHostModules(url: string, source: ModuleSource): void {
  if (guests.size === 0) registerHooks({ resolve: resolveForGuests })
  guests.set(url, source)
}

/** Leaves the host's own imports alone: only what a guest's module asks for is redirected. */
const resolveForGuests: Resolve = (specifier, context, nextResolve) => {
  const guest = context.parentURL === undefined ? undefined : guests.get(context.parentURL)
  if (guest === undefined || specifier.startsWith("node:")) return nextResolve(specifier, context)

  const hosted = Object.hasOwn(guest.hosted, specifier) ? guest.hosted[specifier] : undefined
  if (hosted !== undefined) return nextResolve(hosted, context)

  const conditions = guest.linked ? ["@harness/source", ...context.conditions] : context.conditions
  const resolved = nextResolve(specifier, { ...context, conditions })
  refuseOutside(guest, specifier, resolved.url)
  guests.set(resolved.url, guest)
  return resolved
}

function refuseOutside({ within }: ModuleSource, specifier: string, url: string): void {
  if (within === undefined || url.startsWith(within) || url.startsWith("node:")) return
  throw new Error(`it imports ${specifier}, which is not in the package`)
}

type Resolve = NonNullable<Parameters<typeof registerHooks>[0]["resolve"]>

function isDefinitionOf<Type extends keyof Definitions>(
  value: unknown,
  type: Type,
): value is Definitions[Type] {
  return isDefinition(value, type)
}

function broken(source: ModuleSource, reason: string, cause?: unknown) {
  return failure("package_broken", { name: packageOf(source), reason }, { cause })
}

/** The name that `harness uninstall` knows; the definition's when the manifest cannot be read. */
function packageOf(source: ModuleSource): string {
  try {
    const manifest = findPackageJSON(source.url)
    if (manifest === undefined) return source.name
    return PackageJson.parse(JSON.parse(readFileSync(manifest, "utf8"))).name
  } catch {
    return source.name
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
