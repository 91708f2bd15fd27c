import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs"
import { dirname } from "node:path"
import { errnoOf } from "../config/errno.ts"

/** At this size the file becomes `harness.log.1`. */
const maxBytes = 5 * 1_048_576

/** Besides the one that is written: `harness.log.1` and `harness.log.2`. */
const keptFiles = 2

/**
 * Appends whole lines in one write, so that those of several processes do not mix, and keeps the file
 * bounded. Throws the system's error.
 */
export function appendLines(file: string, lines: string): void {
  makeFolder(dirname(file))
  rotate(file)
  const descriptor = openSync(file, "a", 0o600)
  try {
    writeSync(descriptor, lines)
  } finally {
    closeSync(descriptor)
  }
}

/** Not the home: a command that only looks leaves none behind. */
function makeFolder(folder: string): void {
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
}

function rotate(file: string): void {
  if (sizeOf(file) < maxBytes) return
  const lock = `${file}.lock`
  if (!taken(lock)) return
  try {
    // Another process may have done it meanwhile.
    if (sizeOf(file) < maxBytes) return
    for (let number = keptFiles; number >= 1; number -= 1) {
      const from = number === 1 ? file : `${file}.${number - 1}`
      if (statSync(from, { throwIfNoEntry: false })) renameSync(from, `${file}.${number}`)
    }
  } finally {
    rmSync(lock, { force: true })
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** False: another process makes room, and there is no need to wait for it. */
function taken(lock: string): boolean {
  try {
    closeSync(openSync(lock, "wx", 0o600))
    return true
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error
    const madeMs = statSync(lock, { throwIfNoEntry: false })?.mtimeMs
    // Whoever made it was killed: the next line finds it gone.
    if (madeMs !== undefined && Date.now() - madeMs > abandonedMs) rmSync(lock, { force: true })
    return false
  }
}

const abandonedMs = 10_000
