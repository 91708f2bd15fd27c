import { pathToFileURL } from "node:url"
import {
  failure,
  type HarnessFailure,
  type Manifest,
  type ModuleSource,
  type PackageInspection,
  type PackageState,
} from "@harness/protocol"
import type { DefinitionType } from "@harness/sdk"
import type { Definitions } from "@harness/sdk/loading"
import { checkInstalled, stateOf } from "./installed.ts"
import { type LockedPackage, readLock } from "./lock.ts"
import { findModule } from "./modules.ts"
import type { BuiltinPackage, Consent, RegistryOptions } from "./options.ts"
import { type Contribution, contributionsOf } from "./package.ts"
import { type ProjectPackage, projectPackageState } from "./project-packages.ts"

export type { BuiltinPackage, RegistryOptions } from "./options.ts"

/** A definition and the package that brings it. */
export type FoundDefinition = { package: string; version: string; source: ModuleSource }

/**
 * The packages of a home. Looking one up reads `harness.lock` and the files of that one package;
 * what installs (and the network) is loaded when something is inspected or installed.
 */
export interface Registry {
  /**
   * Reads what a package would bring; nothing lands and none of its code runs. `spec` is a name of
   * ours (`workspace`), a scoped name (`@acme/notes@1`), `npm:<spec>`, a folder or a tarball.
   * Throws `package_not_found`, `package_invalid`, `option_invalid`, `install_failed`.
   */
  inspect(spec: string, options: { link: boolean }): Promise<PackageInspection>
  /**
   * Installs exactly what was agreed to, or changes nothing: also when it fails or is killed.
   * Lifecycle scripts never run. Throws as `inspect`, and `consent_outdated`, `package_conflict`,
   * `packages_locked`, `home_unusable`.
   */
  install(
    spec: string,
    options: { link: boolean; consent: Consent },
  ): Promise<{ package: PackageState; changed: boolean }>
  /** Removes a package and all its files; of a link only the link. Throws `package_not_installed`. */
  uninstall(name: string): Promise<PackageState>
  /** Every package, the builtin ones first, a project's last; one that cannot be used is `broken`, with the reason. */
  list(): PackageState[]
  /** The names of all definitions of a type, sorted; whether they can be loaded is not looked at. */
  names(type: DefinitionType): string[]
  /** The names of the providers that have a model of this name, sorted. */
  providersOf(model: string): string[]
  /** Where a definition is loaded from, or undefined. Throws `package_broken`. */
  find(type: DefinitionType, name: string): FoundDefinition | undefined
  /**
   * Imports a definition into this process. Throws `package_broken`, or, when no package brings it,
   * `kind_not_installed`, `kind_unknown`, `model_unknown`, `program_runtime_missing` or
   * `package_not_installed`.
   */
  load<Type extends DefinitionType>(type: Type, name: string): Promise<Definitions[Type]>
}

/**
 * Opens the packages of a home. Nothing is read before the first question.
 *
 * @example
 * const registry = createRegistry({ home, builtins, hosted, env: process.env })
 * const kind = await registry.load("kind", "project")
 */
export function createRegistry(options: RegistryOptions): Registry {
  const { home, builtins, hosted, project = [] } = options

  const find: Registry["find"] = (type, name) => {
    const { packages } = readLock(home)
    const wanted = (manifest: Manifest) =>
      contributionsOf(manifest).find(one => one.type === type && one.name === name)

    for (const [owner, locked] of Object.entries(packages)) {
      const contribution = wanted(locked.manifest)
      if (contribution !== undefined) return findInstalled(options, owner, locked, contribution)
    }
    for (const builtin of builtins) {
      const contribution = wanted(builtin.manifest)
      if (contribution === undefined || Object.hasOwn(packages, builtin.name)) continue
      return findBuiltin(builtin, contribution, hosted)
    }
    for (const found of usable(project)) {
      const contribution = wanted(found.package.manifest)
      if (contribution !== undefined) return findInProject(found, contribution, hosted)
    }
    return undefined
  }

  const manifests = (): Manifest[] => {
    const { packages } = readLock(home)
    return [
      ...Object.values(packages).map(({ manifest }) => manifest),
      ...builtins
        .filter(({ name }) => !Object.hasOwn(packages, name))
        .map(({ manifest }) => manifest),
      ...usable(project).map(found => found.package.manifest),
    ]
  }

  const names: Registry["names"] = type => {
    const all = manifests()
      .flatMap(contributionsOf)
      .filter(one => one.type === type)
    return [...new Set(all.map(({ name }) => name))].sort()
  }

  return {
    find,
    names,
    providersOf(model) {
      const all = manifests()
        .flatMap(({ contributes }) => contributes.providers)
        .filter(({ models = [] }) => models.some(beginning => model.startsWith(beginning)))
      return [...new Set(all.map(({ name }) => name))].sort()
    },
    async inspect(spec, { link }) {
      const { examine } = await import("./inspect.ts")
      const { inspection } = await examine(spec, { link }, options)
      return inspection
    },
    async install(spec, { link, consent }) {
      const { install } = await import("./install.ts")
      return install(spec, { link, consent }, options)
    },
    async uninstall(name) {
      const { uninstall } = await import("./uninstall.ts")
      return uninstall(name, options)
    },
    list() {
      const { packages } = readLock(home)
      const ours = builtins.filter(({ name }) => !Object.hasOwn(packages, name)).map(builtinState)
      const installed = Object.entries(packages).map(([name, locked]) =>
        stateOf(home, name, locked),
      )
      return [...ours, ...installed, ...project.map(projectPackageState)]
    },
    async load(type, name) {
      const found = find(type, name)
      if (found === undefined) throw missing(type, name, names(type))
      const { loadDefinition } = await import("@harness/sdk/loading")
      return loadDefinition(found.source, type)
    },
  }
}

function findInstalled(
  { home, hosted }: RegistryOptions,
  owner: string,
  locked: LockedPackage,
  { name, module }: Contribution,
): FoundDefinition {
  const installed = checkInstalled(home, owner, locked)
  if (installed.status === "broken") throw broken(owner, installed.reason)

  const linked = locked.source.type === "link"
  const found = findModule(installed.folder, installed.package, module, linked)
  if (found.status === "invalid") throw broken(owner, found.reason)

  const source = { url: pathToFileURL(found.file).href, name, hosted: { ...hosted }, linked }
  return { package: owner, version: installed.package.version, source }
}

function findBuiltin(
  builtin: BuiltinPackage,
  { name, module }: Contribution,
  hosted: RegistryOptions["hosted"],
): FoundDefinition {
  const url = builtin.modules[module]
  if (url === undefined) throw broken(builtin.name, `its module "${module}" was not passed along`)

  // Run from a checkout, the builtin packages are TypeScript, like a linked one.
  const source = { url, name, hosted: { ...hosted }, linked: url.endsWith(".ts") }
  return { package: builtin.name, version: builtin.version, source }
}

type UsableInProject = Extract<ProjectPackage, { status: "ok" }>

/** The broken ones are named by `list`; nothing of them is loaded. */
function usable(project: readonly ProjectPackage[]): UsableInProject[] {
  return project.filter(found => found.status === "ok")
}

function findInProject(
  { folder, package: fields }: UsableInProject,
  { name, module }: Contribution,
  hosted: RegistryOptions["hosted"],
): FoundDefinition {
  const found = findModule(folder, fields, module, true)
  if (found.status === "invalid") throw broken(fields.name, found.reason)

  const within = `${pathToFileURL(folder).href}/`
  const url = pathToFileURL(found.file).href
  const source = { url, name, hosted: { ...hosted }, linked: true, within }
  return { package: fields.name, version: fields.version, source }
}

function builtinState({ name, version, manifest }: BuiltinPackage): PackageState {
  return {
    name,
    version,
    source: { type: "builtin" },
    contributes: contributionsOf(manifest).map(({ label }) => label),
    capabilities: manifest.capabilities,
    status: "ok",
  }
}

function broken(name: string, reason: string): HarnessFailure {
  return failure("package_broken", { name, reason })
}

function missing(type: DefinitionType, name: string, names: readonly string[]): HarnessFailure {
  const known = names.join(", ") || "none"
  switch (type) {
    case "kind":
      if (names.length === 0) return failure("kind_not_installed", {})
      return failure("kind_unknown", { kind: name, known })
    case "provider": {
      const reason = `no provider ${name} is installed`
      return failure("model_unknown", { model: name, reason, known })
    }
    case "programs":
      return failure("program_runtime_missing", { language: name, known })
    case "policy":
      return failure("package_not_installed", { name: `The policy ${name}` })
  }
}
