import { constants, copyFileSync, linkSync, lstatSync, mkdirSync } from "node:fs"
import { dirname } from "node:path"

/**
 * Gives a file that never changes a second name, or copies it where the system gives none. What is not
 * there, or is no file, is left out: an audit tells. Throws the system's error.
 */
export function shareFile(from: string, to: string): void {
  if (lstatSync(from, { throwIfNoEntry: false })?.isFile() !== true) return
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  }
}
