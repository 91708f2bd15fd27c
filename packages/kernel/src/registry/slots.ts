import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import * as z from "zod"

/**
 * A package's own folder below packages/, with its package.json, package-lock.json and node_modules.
 * Each installation gets a fresh one: it is filled beside the one in use, and counts from the moment
 * that `harness.lock` names it, so that nothing is ever half replaced.
 */
export const Slot = z
  .string()
  .regex(
    /^[a-z0-9~-][^/\\]*-[A-Za-z0-9]{6}$|^@[^/\\]*-[A-Za-z0-9]{6}$/,
    "is not a package's folder",
  )

/** Where installed packages are kept. */
export function packagesFolder(home: string): string {
  return join(home, "packages")
}

/** The folder in which a slot holds its package. */
export function folderInSlot(home: string, slot: string, name: string): string {
  return join(packagesFolder(home), slot, "node_modules", ...name.split("/"))
}

/** Makes an empty slot. */
export async function createSlot(home: string, name: string, version: string): Promise<string> {
  const packages = packagesFolder(home)
  const label = `${name.replace("/", "+")}@${version.replaceAll(/[^\w.+]/g, "-")}-`
  const folder = await mkdtemp(join(packages, label))
  await mkdir(join(folder, "node_modules"))
  return folder.slice(packages.length + 1)
}

export async function removeSlot(home: string, slot: string): Promise<void> {
  await rm(join(packagesFolder(home), slot), { recursive: true, force: true })
}

/** Removes what interrupted installations left: every slot that is not in use. */
export async function removeStrays(home: string, inUse: ReadonlySet<string>): Promise<void> {
  const names = await readdir(packagesFolder(home))
  const strays = names.filter(name => Slot.safeParse(name).success && !inUse.has(name))
  await Promise.all(strays.map(slot => removeSlot(home, slot)))
}
