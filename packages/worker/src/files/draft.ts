import { randomBytes } from "node:crypto"
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  fsyncSync,
  openSync,
  rmSync,
  type Stats,
  writeSync,
} from "node:fs"
import { promisify } from "node:util"
import type { Step } from "./steps.ts"

const syncToDisk = promisify(fsync)

/** A file that is to appear whole in a folder. */
export type Draft = {
  folder: Step
  bytes: Uint8Array
  /** Of the file whose mode and owner it takes; undefined for a new one. */
  like: Stats | undefined
  /** Permission bits that it gets all the same. */
  mode?: number | undefined
}

/** Tells drafts from all other files, by name alone. */
const NAME = /^\.harness-[0-9a-f]{12}\.tmp$/

export function draftName(): string {
  return `.harness-${randomBytes(6).toString("hex")}.tmp`
}

export function isDraftName(name: string): boolean {
  return NAME.test(name)
}

/**
 * Writes a draft to a path that does not exist, through to the disk. Nothing is left when it throws
 * the system's error.
 */
export async function writeDraft(
  path: string,
  { folder, bytes, like, mode }: Draft,
): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL
  // A new file gets what the umask leaves; the content of an old one stays private until its mode is set.
  const descriptor = openSync(path, flags, like === undefined ? 0o666 : 0o600)
  try {
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(descriptor, bytes, written)
    }
    if (like !== undefined) takeAfter(descriptor, like)
    else takeGroup(descriptor, folder.stats)
    if (mode !== undefined) fchmodSync(descriptor, mode & 0o777)
    await syncToDisk(descriptor)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
}

/** Makes a rename or a new entry in the folder survive a loss of power, where the system can. */
export function syncFolder(folder: Step): void {
  let descriptor: number | undefined
  try {
    descriptor = openSync(folder.as, constants.O_RDONLY)
    fsyncSync(descriptor)
  } catch {
    // Windows and some network file systems cannot; the entry is there all the same.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

function takeAfter(descriptor: number, like: Stats): void {
  const own = fstatSync(descriptor)
  let sameOwner = own.uid === like.uid && own.gid === like.gid
  if (!sameOwner) sameOwner = takeOwner(descriptor, like)

  // Without its owner, set-uid would hand out our own rights.
  fchmodSync(descriptor, like.mode & (sameOwner ? 0o7777 : 0o777))
}

const S_ISGID = 0o2000

/** What is new in a folder with set-gid belongs to the folder's group, wherever it was written. */
function takeGroup(descriptor: number, folder: Stats): void {
  const own = fstatSync(descriptor)
  if ((folder.mode & S_ISGID) === 0 || own.gid === folder.gid) return
  takeOwner(descriptor, { uid: own.uid, gid: folder.gid })
}

function takeOwner(descriptor: number, { uid, gid }: Pick<Stats, "uid" | "gid">): boolean {
  try {
    fchownSync(descriptor, uid, gid)
    return true
  } catch {
    return false
  }
}
