import { createHash } from "node:crypto"
import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs"

/** The output of one process on its way to the disk: bounded, hashed as it comes. */
export interface Capture {
  take(bytes: Buffer): void
  /** What came until now; when it is closed, what came at all. */
  soFar(): Captured
  /** Closes the file. Called once, when nothing comes any more. */
  finish(): Captured
}

export type Captured = {
  keptBytes: number
  droppedBytes: number
  sha256: string
  /** The last bytes, cut at a character. */
  preview: string
  truncated: boolean
}

export type CaptureOptions = {
  file: string
  limitBytes: number
  previewBytes: number
  /** How many of so many bytes may be kept; what it allows counts as used. */
  grant(bytes: number): number
  /** What was kept, as it comes. */
  kept(bytes: Buffer): void
  /** Called once, when more came than may be kept. */
  full(): void
}

/** Creates the file. Throws the system's error. */
export function captureTo(options: CaptureOptions): Capture {
  const descriptor = openSync(options.file, "wx+", 0o600)
  const hash = createHash("sha256")
  let keptBytes = 0
  let droppedBytes = 0
  let isFull = false
  let whole: Captured | undefined

  return {
    take(bytes) {
      const room = isFull ? 0 : Math.min(bytes.length, options.limitBytes - keptBytes)
      const written = room === 0 ? 0 : writeWhole(descriptor, bytes, options.grant(room))
      if (written > 0) {
        const kept = bytes.subarray(0, written)
        hash.update(kept)
        keptBytes += written
        options.kept(kept)
      }
      if (written === bytes.length) return

      droppedBytes += bytes.length - written
      if (!isFull) options.full()
      isFull = true
    },

    soFar: () => whole ?? measured(),

    finish() {
      whole = measured()
      closeSync(descriptor)
      return whole
    },
  }

  function measured(): Captured {
    const tail = tailOf(descriptor, keptBytes, options.previewBytes)
    const truncated = tail.cutBefore || droppedBytes > 0
    const preview = textOf(tail.bytes, { cutBefore: tail.cutBefore, cutAfter: isFull })
    return { keptBytes, droppedBytes, sha256: hash.copy().digest("hex"), preview, truncated }
  }
}

/** The end of an output that is on the disk: its last `previewBytes`, cut at a character. */
export function previewOf(file: string, previewBytes: number): string {
  const descriptor = openSync(file, "r")
  try {
    const tail = tailOf(descriptor, fstatSync(descriptor).size, previewBytes)
    return textOf(tail.bytes, { cutBefore: tail.cutBefore, cutAfter: false })
  } finally {
    closeSync(descriptor)
  }
}

function tailOf(descriptor: number, size: number, most: number) {
  const bytes = Buffer.alloc(Math.min(most, size))
  readSync(descriptor, bytes, 0, bytes.length, size - bytes.length)
  return { bytes, cutBefore: bytes.length < size }
}

/** Returns how much could be written: a full disk is a full output. */
function writeWhole(descriptor: number, bytes: Buffer, count: number): number {
  let written = 0
  try {
    while (written < count) written += writeSync(descriptor, bytes, written, count - written)
  } catch {
    return written
  }
  return written
}

function textOf(bytes: Buffer, cut: { cutBefore: boolean; cutAfter: boolean }): string {
  let start = 0
  // At most three bytes of a character can be left over.
  while (cut.cutBefore && start < 3 && isContinuation(bytes[start])) start += 1
  return new TextDecoder().decode(bytes.subarray(start), { stream: cut.cutAfter })
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000
}
