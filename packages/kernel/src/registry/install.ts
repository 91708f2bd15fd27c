import { mkdir, realpath, symlink } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import { isDeepStrictEqual } from "node:util"
import {
  failure,
  type HarnessFailure,
  isFailure,
  type PackageInspection,
  type PackageState,
} from "@harness/protocol"
import { inWords } from "../config/errno.ts"
import { contentHash, fileHashes } from "./content.ts"
import { exclusively } from "./exclusive.ts"
import { type Candidate, examine, fetchFailure, isInstalled } from "./inspect.ts"
import { stateOf } from "./installed.ts"
import {
  type HarnessLock,
  type LockedPackage,
  readLock,
  relativeSource,
  writeLock,
} from "./lock.ts"
import { findModules } from "./modules.ts"
import { installInto } from "./npm.ts"
import type { Consent, RegistryOptions } from "./options.ts"
import { contributionsOf, readPackage } from "./package.ts"
import { createSlot, folderInSlot, packagesFolder, removeSlot, removeStrays } from "./slots.ts"

/**
 * Installs a package: its files go to a slot of their own, `harness.lock` is written last. Killed at
 * any moment, the old state stays; the next installation removes what was left.
 */
export async function install(
  spec: string,
  { link, consent }: { link: boolean; consent: Consent },
  options: RegistryOptions,
): Promise<{ package: PackageState; changed: boolean }> {
  const { home } = options
  const candidate = await examine(spec, { link }, options)
  const { inspection, folder } = candidate
  const { name } = inspection
  refuseOtherThanAgreed(inspection, consent)
  if (inspection.installed) return { package: installedState(home, name), changed: false }

  return exclusively(home, async stillHeld => {
    if (isInstalled(home, inspection, folder)) {
      return { package: installedState(home, name), changed: false }
    }
    const before = readLock(home)
    await removeStrays(home, slotsOf(before))
    refuseConflicts(candidate, before, options)

    const slot = await createSlot(home, name, inspection.version)
    try {
      const placed = await place(spec, candidate, slot, options)
      stillHeld()
      const packages = { ...before.packages, [name]: { ...placed, consent: agreed(consent) } }
      await writeLock(home, { ...before, packages })
    } catch (error) {
      if (!slotsOf(readLock(home)).has(slot)) await removeSlot(home, slot)
      throw error
    }

    await removeStrays(home, slotsOf(readLock(home)))
    return { package: installedState(home, name), changed: true }
  })
}

/** The slots that a lock names. */
export function slotsOf({ packages }: HarnessLock): ReadonlySet<string> {
  return new Set(Object.values(packages).map(({ slot }) => slot))
}

type Placed = Omit<LockedPackage, "consent">

async function place(
  spec: string,
  candidate: Candidate,
  slot: string,
  options: RegistryOptions,
): Promise<Placed> {
  const { name, version, manifest, integrity, source } = candidate.inspection
  const { home } = options
  const kept = { version, source: relativeSource(home, source), slot, integrity, manifest }

  if (candidate.folder !== undefined) {
    await linkInto(folderInSlot(home, slot, name), candidate.folder)
    return { ...kept, content: null, entries: {} }
  }
  await copyInto(spec, candidate, join(packagesFolder(home), slot), options)
  const folder = folderInSlot(home, slot, name)
  const files = await checkDelivered(spec, candidate, folder)
  return {
    ...kept,
    content: await contentHash(join(packagesFolder(home), slot, "node_modules")),
    entries: await fileHashes(folder, [join(folder, "package.json"), ...files]),
  }
}

/** Relative, so that a home and the checkouts beside it can move together. */
async function linkInto(link: string, folder: string): Promise<void> {
  await mkdir(dirname(link), { recursive: true })
  await symlink(relative(await realpath(dirname(link)), folder), link, "junction")
}

async function copyInto(
  spec: string,
  { inspection, tarball }: Candidate,
  slotFolder: string,
  { hosted, env }: RegistryOptions,
): Promise<void> {
  const { name, version, integrity } = inspection
  const installed = await installInto(
    slotFolder,
    { name, version, tarball },
    { hosted: packagesOf(Object.keys(hosted)), env },
  ).catch(error => {
    throw installFailure(spec, error)
  })
  if (installed.integrity === integrity) return
  throw deliveredOther(spec, `sha512 ${installed.integrity} instead of ${integrity}`)
}

/** A registry may describe a package otherwise than its files do: what was agreed to must be there. */
async function checkDelivered(
  spec: string,
  { inspection }: Candidate,
  folder: string,
): Promise<string[]> {
  const read = readPackage(folder)
  if (read.status === "invalid") throw deliveredOther(spec, read.reason)

  const { name, version, manifest } = read.package
  const found = { name, version, manifest }
  const told = { name: inspection.name, version: inspection.version, manifest: inspection.manifest }
  if (!isDeepStrictEqual(found, told)) throw deliveredOther(spec, "its package.json is another one")

  const modules = findModules(folder, read.package, false)
  if (modules.status === "ok") return modules.files
  throw failure("package_invalid", { source: spec, reason: modules.reason })
}

function deliveredOther(name: string, reason: string): HarnessFailure {
  const hint = "Do not use this package: what is offered and what is delivered differ."
  return failure("install_failed", { name, reason, hint })
}

function installFailure(spec: string, error: unknown): HarnessFailure {
  if (isFailure(error)) return error
  const failed = fetchFailure(spec, error)
  if (!isFailure(failed, "package_not_found")) return failed

  // The package itself was found: it is a dependency that is missing.
  const hint = "Nothing was changed; tell the author of the package."
  return failure("install_failed", { name: spec, reason: inWords(error), hint }, { cause: error })
}

/** `@harness/sdk/testing` is a part of `@harness/sdk`. */
function packagesOf(specifiers: readonly string[]): string[] {
  const names = specifiers.map(specifier => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier)
  return [...new Set(names)].sort()
}

function refuseOtherThanAgreed({ name, version, manifest }: PackageInspection, consent: Consent) {
  const found = inOneLine({ name, version, capabilities: manifest.capabilities })
  const asked = inOneLine(consent)
  if (found !== asked) throw failure("consent_outdated", { name, agreed: asked, found })
}

function inOneLine({ name, version, capabilities }: Consent): string {
  const may = [...new Set(capabilities)].sort().join(", ")
  return `${name}@${version}${may && ` (${may})`}`
}

function agreed({ capabilities }: Consent): LockedPackage["consent"] {
  return { capabilities: [...capabilities] }
}

/** Each kind, provider, language and policy has one owner; a package may only replace itself. */
function refuseConflicts(
  { inspection: { name, manifest } }: Candidate,
  { packages }: HarnessLock,
  { builtins }: RegistryOptions,
): void {
  const others = [
    ...Object.entries(packages).map(([other, locked]) => ({
      other,
      manifest: locked.manifest,
      hint: `Uninstall ${other} first: harness uninstall ${other}.`,
    })),
    ...builtins
      .filter(builtin => !Object.hasOwn(packages, builtin.name))
      .map(builtin => ({
        other: builtin.name,
        manifest: builtin.manifest,
        hint: `${builtin.name} comes with harness; only a package of that name takes its place.`,
      })),
  ]
  const brings = new Set(contributionsOf(manifest).map(({ label }) => label))

  for (const { other, manifest: theirs, hint } of others) {
    const shared = contributionsOf(theirs).find(({ label }) => brings.has(label))
    if (other === name || shared === undefined) continue
    throw failure("package_conflict", { name, what: `the ${shared.label}`, other, hint })
  }
}

function installedState(home: string, name: string): PackageState {
  const locked = readLock(home).packages[name]
  if (locked === undefined) throw failure("package_not_installed", { name })
  return stateOf(home, name, locked)
}
