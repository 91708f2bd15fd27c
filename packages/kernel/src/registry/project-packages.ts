import type { Manifest, PackageState } from "@harness/protocol"
import type { HarnessLock } from "./lock.ts"
import { findModules } from "./modules.ts"
import type { BuiltinPackage } from "./options.ts"
import { contributionsOf, type PackageFields, readPackage } from "./package.ts"

/** A package below `.harness/packages` of a project: loaded in place, as a linked one is. */
export type ProjectPackage = { folder: string } & (
  | { status: "ok"; package: PackageFields }
  | { status: "broken"; name: string; version: string; reason: string }
)

/**
 * Reads the packages of a project; none of their code runs. A project adds and never replaces: one
 * that brings what is there already, by its name or a contribution, is broken, as is one that cannot
 * be loaded.
 */
export function readProjectPackages(
  folders: readonly string[],
  others: { lock: HarnessLock; builtins: readonly BuiltinPackage[] },
): ProjectPackage[] {
  const taken = takenBy(others)
  return folders.map(folder => {
    const found = readOne(folder)
    if (found.status === "broken") return found

    const { name, manifest } = found.package
    const shared = labelsOf(name, manifest).find(label => taken.has(label))
    if (shared !== undefined) {
      return brokenAs(found, `it brings the ${shared}, which ${taken.get(shared)} brings already`)
    }
    for (const label of labelsOf(name, manifest)) taken.set(label, name)
    return found
  })
}

/** A package of a project as `harness list` shows it. */
export function projectPackageState(found: ProjectPackage): PackageState {
  const source = { type: "project" as const, path: found.folder }
  if (found.status === "broken") {
    const { name, version, reason } = found
    return { name, version, source, contributes: [], capabilities: [], status: "broken", reason }
  }
  const { name, version, manifest } = found.package
  const contributes = contributionsOf(manifest).map(({ label }) => label)
  return { name, version, source, contributes, capabilities: manifest.capabilities, status: "ok" }
}

type Usable = Extract<ProjectPackage, { status: "ok" }>

function readOne(folder: string): ProjectPackage {
  const read = readPackage(folder)
  if (read.status === "invalid") {
    return { folder, status: "broken", name: nameOf(folder), version: "?", reason: read.reason }
  }
  const found: Usable = { folder, status: "ok", package: read.package }
  const modules = findModules(folder, read.package, true)
  return modules.status === "ok" ? found : brokenAs(found, modules.reason)
}

function brokenAs({ folder, package: { name, version } }: Usable, reason: string): ProjectPackage {
  return { folder, status: "broken", name, version, reason }
}

function nameOf(folder: string): string {
  return folder.replace(/^.*[\\/]/, "")
}

/** Who has each name and each contribution. */
function takenBy({
  lock,
  builtins,
}: {
  lock: HarnessLock
  builtins: readonly BuiltinPackage[]
}): Map<string, string> {
  const all = [
    ...builtins.map(({ name, manifest }) => ({ name, manifest })),
    ...Object.entries(lock.packages).map(([name, { manifest }]) => ({ name, manifest })),
  ]
  return new Map(
    all.flatMap(({ name, manifest }) =>
      labelsOf(name, manifest).map(label => [label, name] as const),
    ),
  )
}

function labelsOf(name: string, manifest: Manifest): string[] {
  return [`package ${name}`, ...contributionsOf(manifest).map(({ label }) => label)]
}
