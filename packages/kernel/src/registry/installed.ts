import { createHash } from "node:crypto"
import { readFileSync, realpathSync } from "node:fs"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import type { PackageState } from "@harness/protocol"
import { inWords } from "../config/errno.ts"
import { absoluteSource, type LockedPackage } from "./lock.ts"
import { findModules } from "./modules.ts"
import { contributionsOf, type PackageFields, readPackage } from "./package.ts"
import { folderInSlot } from "./slots.ts"

/** An installed package as it stands on the disk now. */
export type Installed =
  | { status: "ok"; folder: string; package: PackageFields }
  | { status: "broken"; reason: string }

/**
 * Looks whether a package still is what somebody agreed to: it is there, its manifest is the same,
 * its modules exist and, for a copy, package.json and the modules have the bytes that were installed.
 * Cheap: a few small files are read, nothing is run. Never throws.
 */
export function checkInstalled(home: string, name: string, locked: LockedPackage): Installed {
  const linked = locked.source.type === "link"
  const folder = folderOf(home, name, locked)
  if (folder === undefined) {
    const source = absoluteSource(home, locked.source)
    const reason = source.type === "link" ? `${source.path} is gone` : "its files are gone"
    return { status: "broken", reason }
  }

  const read = readPackage(folder)
  if (read.status === "invalid") return { status: "broken", reason: read.reason }
  if (read.package.name !== name) {
    return { status: "broken", reason: `its name is ${read.package.name} now: install it again` }
  }
  if (!isDeepStrictEqual(read.package.manifest, locked.manifest)) {
    const reason = "its manifest is not the one that was agreed to: install it again"
    return { status: "broken", reason }
  }

  const changed = Object.keys(locked.entries).find(
    path => hashOf(join(folder, path)) !== locked.entries[path],
  )
  if (changed !== undefined) {
    return { status: "broken", reason: `its ${changed} changed since it was installed` }
  }
  const modules = findModules(folder, read.package, linked)
  if (modules.status === "invalid") return { status: "broken", reason: modules.reason }
  return { status: "ok", folder, package: read.package }
}

/** A package as `harness list` shows it. */
export function stateOf(home: string, name: string, locked: LockedPackage): PackageState {
  const found = checkInstalled(home, name, locked)
  return {
    name,
    version: found.status === "ok" ? found.package.version : locked.version,
    source: absoluteSource(home, locked.source),
    contributes: contributionsOf(locked.manifest).map(({ label }) => label),
    capabilities: locked.manifest.capabilities,
    status: found.status,
    ...(found.status === "broken" && { reason: found.reason }),
  }
}

/** The real path: a link is followed, since Node runs TypeScript only outside node_modules. */
function folderOf(home: string, name: string, { slot }: LockedPackage): string | undefined {
  try {
    return realpathSync(folderInSlot(home, slot, name))
  } catch {
    return undefined
  }
}

function hashOf(file: string): string {
  try {
    return createHash("sha256").update(readFileSync(file)).digest("hex")
  } catch (error) {
    return inWords(error)
  }
}
