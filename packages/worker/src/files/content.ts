import { createHash } from "node:crypto"
import { closeSync, constants, fstatSync, readSync, type Stats } from "node:fs"
import { setImmediate as otherWork } from "node:timers/promises"
import type { FileProblem } from "@harness/sdk"
import { codeOf } from "../thrown.ts"
import { exchanged } from "./exchanged.ts"
import { kernelFileSystem } from "./file-systems.ts"
import type { Guard } from "./guard.ts"
import { fromSystem, notAFile, notStored, outsideRoot } from "./problems.ts"
import type { Step } from "./steps.ts"
import { namesNow, type Root, shown } from "./walk.ts"

/** A whole file is read in such pieces, and other work gets its turn between two of them. */
const PIECE_BYTES = 1_048_576

/** Of a file that says it is empty and may grow. */
const SMALLEST_PIECE_BYTES = 4_096

export type OpenFile = { status: "open"; descriptor: number; stats: Stats; close(): void }

/** A root, and what may be touched below it. */
export type Guarded = { root: Root; guard: Guard }

/**
 * Opens the regular file of a step for reading. What it is and where it lies is judged before: a
 * file that may not be read is not opened. Throws ESTALE when another one took its place meanwhile.
 */
export function openToRead(
  { root, guard }: Guarded,
  step: Step,
  path: string,
): OpenFile | FileProblem {
  if (!step.stats.isFile()) return notAFile(path)

  const names = namesNow(root, step)
  if (names === undefined) return leftRoot(root, step, path)
  const problem = guard.refusalToRead(shown(names), path) ?? elsewhere(root, step, path)
  if (problem !== undefined) return problem

  let descriptor: number
  try {
    descriptor = root.steps.open(step, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    if (codeOf(error) === "ESTALE") throw error
    return fromSystem(error, path, "unreadable")
  }

  const stats = fstatSync(descriptor)
  const close = () => closeSync(descriptor)
  if (stats.isFile() && namesNow(root, step) !== undefined) {
    return { status: "open", descriptor, stats, close }
  }

  close()
  return stats.isFile() ? leftRoot(root, step, path) : notAFile(path)
}

function leftRoot(root: Root, step: Step, path: string): FileProblem {
  if (root.steps.realPathOf(step) === undefined) throw exchanged(path)
  return outsideRoot(path)
}

/** Why a step on another device than the root's is none with files. */
export function elsewhere(root: Root, step: Step, path: string): FileProblem | undefined {
  if (step.stats.dev === root.step.stats.dev) return undefined
  const kernel = kernelFileSystem(step.as)
  return kernel === undefined ? undefined : notStored(path, kernel)
}

export type Pass = { bytes: Buffer; size: number; sha256: string }

/**
 * One pass over a file from its beginning: the hash and size of the whole, and the bytes of a
 * window. Throws the system's error.
 */
export async function passOver(
  file: OpenFile,
  window: { offset: number; limitBytes: number },
): Promise<Pass> {
  const piece = Buffer.allocUnsafe(pieceFor(file.stats.size))
  const hash = createHash("sha256")
  const kept: Buffer[] = []
  const end = window.offset + window.limitBytes
  let size = 0

  while (true) {
    const count = readSync(file.descriptor, piece, 0, piece.length, size)
    if (count === 0) break

    const bytes = piece.subarray(0, count)
    hash.update(bytes)
    const from = Math.max(window.offset - size, 0)
    const to = Math.min(end - size, count)
    if (from < to) kept.push(Buffer.from(bytes.subarray(from, to)))
    size += count
    if (size >= PIECE_BYTES) await otherWork()
  }

  const [first = Buffer.alloc(0)] = kept
  const bytes = kept.length > 1 ? Buffer.concat(kept) : first
  return { bytes, size, sha256: hash.digest("hex") }
}

/** One byte more than the file, so that its end is met in the second read. */
function pieceFor(size: number): number {
  return Math.max(SMALLEST_PIECE_BYTES, Math.min(PIECE_BYTES, size + 1))
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex")
}
