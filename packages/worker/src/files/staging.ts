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
import { sep } from "node:path"
import { promisify } from "node:util"
import type { Step } from "./steps.ts"

const syncToDisk = promisify(fsync)

/** A complete file beside its target, on the disk, waiting for one rename or link. */
export type Staged = { path: string; discard(): void }

/**
 * Writes the bytes to a temporary file in the folder, with mode and owner of `like`. Nothing is left
 * when it throws the system's error.
 */
export async function stage(
  folder: Step,
  bytes: Uint8Array,
  like: Stats | undefined,
): Promise<Staged> {
  const path = `${folder.as}${sep}.harness-${randomBytes(6).toString("hex")}.tmp`
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL
  // A new file gets what the umask leaves; the content of an old one stays private until its mode is set.
  const descriptor = openSync(path, flags, like === undefined ? 0o666 : 0o600)
  const discard = () => rmSync(path, { force: true })

  try {
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(descriptor, bytes, written)
    }
    if (like !== undefined) takeAfter(descriptor, like)
    await syncToDisk(descriptor)
    return { path, discard }
  } catch (error) {
    discard()
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

function takeOwner(descriptor: number, like: Stats): boolean {
  try {
    fchownSync(descriptor, like.uid, like.gid)
    return true
  } catch {
    return false
  }
}
