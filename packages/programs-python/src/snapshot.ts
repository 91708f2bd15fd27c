import { createHash, randomBytes } from "node:crypto"
import { closeSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, writeSync } from "node:fs"
import { basename, dirname, join } from "node:path"

/** Changes when a snapshot made before can no longer be used although Pyodide and prelude are the same. */
const SNAPSHOT_FORMAT = 1

/** Where the snapshot of this Pyodide with this prelude is kept. */
export function snapshotPath(
  cacheFolder: string,
  pyodideVersion: string,
  prelude: readonly (readonly [string, string])[],
): string {
  const key = createHash("sha256")
    .update(JSON.stringify([SNAPSHOT_FORMAT, pyodideVersion, prelude]))
    .digest("hex")
  return join(cacheFolder, `python-${key}.snapshot`)
}

/** A snapshot that is being received. Its file appears whole or not at all. */
export interface SnapshotWriter {
  /** An empty piece is the end. */
  piece(bytes: Uint8Array): void
  /** Throws away what is not whole. A snapshot is a cache: that it could not be kept is no failure. */
  close(): void
}

/** Pieces are written at once: to queue them would hold most of an interpreter in memory. */
export function writeSnapshot(file: string): SnapshotWriter {
  const temporary = `${file}.${process.pid}-${randomBytes(4).toString("hex")}`
  let state: "new" | "open" | "whole" | "failed" = "new"
  let descriptor = -1

  const write = (bytes: Uint8Array) => {
    if (state === "new") descriptor = create(temporary)
    state = "open"
    if (bytes.length > 0) return writeAll(descriptor, bytes)
    closeSync(descriptor)
    renameSync(temporary, file)
    state = "whole"
    leave(() => removeOthers(file))
  }
  const discard = () => {
    if (state === "open") leave(() => closeSync(descriptor))
    leave(() => rmSync(temporary, { force: true }))
    state = "failed"
  }

  return {
    piece(bytes) {
      if (state === "whole" || state === "failed") return
      try {
        write(bytes)
      } catch {
        discard()
      }
    },
    close() {
      if (state === "open") discard()
    },
  }
}

function create(file: string): number {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  return openSync(file, "wx", 0o600)
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(descriptor, bytes, written)
  }
}

function leave(run: () => void): void {
  try {
    run()
  } catch {
    // A cache: what cannot be tidied up stays.
  }
}

/** Snapshots of other versions of Pyodide or the prelude: 15 MB each that nobody will load again. */
function removeOthers(file: string): void {
  const folder = dirname(file)
  for (const name of readdirSync(folder)) {
    const other = /^python-[0-9a-f]{64}\.snapshot$/.test(name) && name !== basename(file)
    if (other) rmSync(join(folder, name), { force: true })
  }
}
