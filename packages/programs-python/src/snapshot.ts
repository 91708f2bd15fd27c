import { createHash, randomBytes } from "node:crypto"
import type { FileHandle } from "node:fs/promises"
import { mkdir, open, readdir, rename, rm } from "node:fs/promises"
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
  close(): Promise<void>
}

export function writeSnapshot(file: string): SnapshotWriter {
  const temporary = `${file}.${process.pid}-${randomBytes(4).toString("hex")}`
  let handle: FileHandle | null = null
  let whole = false
  let failed = false

  const write = async (bytes: Uint8Array) => {
    if (failed || whole) return
    try {
      handle ??= await create(temporary)
      if (bytes.length > 0) return void (await handle.write(bytes))
      await handle.close()
      await rename(temporary, file)
      whole = true
      await removeOthers(file)
    } catch {
      failed = true
    }
  }

  let last = Promise.resolve()
  return {
    piece(bytes) {
      last = last.then(() => write(bytes))
    },
    async close() {
      await last
      if (whole || !handle) return
      failed = true
      await handle.close().catch(() => {})
      await rm(temporary, { force: true }).catch(() => {})
    },
  }
}

async function create(file: string): Promise<FileHandle> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  return open(file, "wx", 0o600)
}

/** Snapshots of other versions of Pyodide or the prelude: 15 MB each that nobody will load again. */
async function removeOthers(file: string): Promise<void> {
  const folder = dirname(file)
  const others = (await readdir(folder)).filter(
    name => /^python-[0-9a-f]{64}\.snapshot$/.test(name) && name !== basename(file),
  )
  await Promise.all(others.map(name => rm(join(folder, name), { force: true })))
}
