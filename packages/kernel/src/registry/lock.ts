import { readdirSync, readFileSync, realpathSync } from "node:fs"
import { open, rename } from "node:fs/promises"
import { dirname, join, relative, resolve } from "node:path"
import { Capability, failure, Manifest, PackageSource, Sha256 } from "@harness/protocol"
import * as z from "zod"
import { errnoOf, inWords } from "../config/errno.ts"
import { homeFailure } from "../config/home.ts"
import { keyPath } from "../config/key-path.ts"
import { PackageName } from "./package.ts"
import { packagesFolder, Slot } from "./slots.ts"

/** One installed package, as `harness.lock` keeps it. Paths are relative to HARNESS_HOME. */
export const LockedPackage = z.strictObject({
  version: z.string(),
  source: PackageSource,
  /** Its own folder below packages/. */
  slot: Slot,
  /** sha512 of the tarball it came from, in npm's form; null for a link. */
  integrity: z.string().nullable(),
  /** sha256 over all installed files, those of its dependencies too; null for a link. */
  content: Sha256.nullable(),
  /** sha256 of package.json and of each contributed module: checked before anything of it runs. */
  entries: z.record(z.string(), Sha256),
  /** As it was when somebody agreed to it. */
  manifest: Manifest,
  consent: z.strictObject({ capabilities: z.array(Capability) }),
})
export type LockedPackage = z.infer<typeof LockedPackage>

/** `harness.lock`: which packages are installed. A folder that it does not name does not count. */
export const HarnessLock = z.strictObject({
  version: z.literal(1),
  packages: z.record(PackageName, LockedPackage),
})
export type HarnessLock = z.infer<typeof HarnessLock>

/** Reads `harness.lock`; without one nothing is installed. Throws `lock_damaged`, `home_unusable`. */
export function readLock(home: string): HarnessLock {
  const file = lockFile(home)
  const text = readIfThere(home, file)
  if (text === undefined) return { version: 1, packages: {} }

  const parsed = parseLock(text)
  if (parsed.status === "ok") return parsed.lock
  throw failure("lock_damaged", { file, reason: parsed.reason, installed: slotsOnDisk(home) })
}

/**
 * Replaces `harness.lock`: after a crash at any moment either the old or the new one is there, whole.
 * The caller holds the packages' lock, so the temporary name is used by one process at a time.
 */
export async function writeLock(home: string, lock: HarnessLock): Promise<void> {
  const file = lockFile(home)
  const next = `${file}.new`
  const packages = Object.fromEntries(Object.entries(lock.packages).sort(byName))
  const text = `${JSON.stringify({ ...lock, packages }, null, 2)}\n`

  await withFile(next, "w", async handle => {
    await handle.writeFile(text)
    await handle.sync()
  })
  await rename(next, file)
  await syncFolder(dirname(file))
}

/** A source with its path absolute, for people. */
export function absoluteSource(home: string, source: PackageSource): PackageSource {
  return "path" in source ? { ...source, path: resolve(realHome(home), source.path) } : source
}

/** A source as the lock keeps it, so that a home and the checkouts beside it can move together. */
export function relativeSource(home: string, source: PackageSource): PackageSource {
  return "path" in source ? { ...source, path: relative(realHome(home), source.path) } : source
}

/** A relative path leads out of the real home, also when the home is reached by a link. */
function realHome(home: string): string {
  try {
    return realpathSync(home)
  } catch {
    return home
  }
}

function lockFile(home: string): string {
  return join(home, "harness.lock")
}

function readIfThere(home: string, file: string): string | undefined {
  try {
    return readFileSync(file, "utf8")
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined
    throw homeFailure(home, error)
  }
}

type ParsedLock = { status: "ok"; lock: HarnessLock } | { status: "invalid"; reason: string }

function parseLock(text: string): ParsedLock {
  try {
    const parsed = HarnessLock.safeParse(JSON.parse(text))
    if (parsed.success) return { status: "ok", lock: parsed.data }

    const [issue] = parsed.error.issues
    return { status: "invalid", reason: `${keyPath(issue?.path ?? [])}: ${issue?.message}` }
  } catch (error) {
    return { status: "invalid", reason: inWords(error) }
  }
}

/** Told when the lock is damaged: what was installed, by the names of the slots. */
function slotsOnDisk(home: string): string {
  try {
    const slots = readdirSync(packagesFolder(home)).filter(name => Slot.safeParse(name).success)
    return slots.map(slot => slot.replace(/-[^-]*$/, "").replace("+", "/")).join(", ") || "nothing"
  } catch {
    return "nothing"
  }
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1
}

type FileHandle = Awaited<ReturnType<typeof open>>

async function withFile(file: string, flags: string, use: (handle: FileHandle) => Promise<void>) {
  const handle = await open(file, flags, 0o600)
  try {
    await use(handle)
  } finally {
    await handle.close()
  }
}

/** The rename itself is on the disk only when the folder is; not every file system can be asked. */
async function syncFolder(folder: string): Promise<void> {
  try {
    await withFile(folder, "r", handle => handle.sync())
  } catch (error) {
    if (!["EINVAL", "ENOTSUP", "EISDIR", "EPERM"].includes(errnoOf(error) ?? "")) throw error
  }
}
