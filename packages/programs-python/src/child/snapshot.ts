import { createHash } from "node:crypto"
import { closeSync, openSync, readSync } from "node:fs"

/**
 * A memory snapshot's file: "HSNAP001", u32 length of the header, the header as JSON, the runs.
 * About half of an interpreter's 30 MiB are zeros: only the pages that hold something are kept, and
 * they are read straight into its memory, so that no second copy of it ever exists.
 */

const MAGIC = "HSNAP001"
const PAGE_BYTES = 4_096
const PREFIX_BYTES = MAGIC.length + 4

/** [offset, length] */
type Run = [number, number]

type SnapshotHeader = {
  /** Size of the whole snapshot, zeros included. */
  total: number
  /** Bytes before the memory's own: Pyodide's part. They are the file's first run. */
  head: number
  /** Ascending, without overlap. */
  runs: Run[]
  /** Of all runs, one after another. */
  sha256: string
}

/** A snapshot that is open for loading. */
export interface OpenSnapshot {
  readonly total: number
  /** Pyodide's part. */
  readonly head: Uint8Array
  /** Reads the rest into the interpreter's memory, which must be zeros. Throws if it is damaged. */
  fill(memory: Uint8Array): void
}

/** The pieces of a snapshot's file: Pyodide's part, and what the memory holds besides zeros. */
export function* packSnapshot(head: Uint8Array, memory: Uint8Array): Generator<Uint8Array> {
  const pages = [...pagesInUse(memory)]
  const pieces = [
    head,
    ...pages.map(([offset, length]) => memory.subarray(offset, offset + length)),
  ]
  const hash = createHash("sha256")
  for (const piece of pieces) hash.update(piece)
  const header: SnapshotHeader = {
    total: head.length + memory.length,
    head: head.length,
    runs: [[0, head.length], ...pages.map(([at, length]): Run => [head.length + at, length])],
    sha256: hash.digest("hex"),
  }

  const json = Buffer.from(JSON.stringify(header))
  const prefix = Buffer.alloc(PREFIX_BYTES)
  prefix.write(MAGIC)
  prefix.writeUInt32LE(json.length, MAGIC.length)
  yield Buffer.concat([prefix, json])
  yield* pieces
}

/** Throws if the file is missing or damaged. */
export function openSnapshot(file: string): OpenSnapshot {
  const descriptor = openSync(file, "r")
  let position = 0
  const next = (target: Uint8Array): Uint8Array => {
    let have = 0
    while (have < target.length) {
      const bytes = readSync(descriptor, target, have, target.length - have, position)
      if (bytes === 0) throw new Error("the snapshot is cut off")
      have += bytes
      position += bytes
    }
    return target
  }

  const prefix = Buffer.from(next(new Uint8Array(PREFIX_BYTES)))
  if (prefix.toString("latin1", 0, MAGIC.length) !== MAGIC) throw new Error("not a snapshot")
  const size = prefix.readUInt32LE(MAGIC.length)
  if (size > 1_048_576) throw new Error("the snapshot's header is too large")
  const header: SnapshotHeader = JSON.parse(Buffer.from(next(new Uint8Array(size))).toString())
  const hash = createHash("sha256")
  const head = next(new Uint8Array(header.head))
  hash.update(head)

  return {
    total: header.total,
    head,
    fill(memory) {
      for (const [offset, length] of header.runs.slice(1)) {
        const from = offset - header.head
        hash.update(next(memory.subarray(from, from + length)))
      }
      closeSync(descriptor)
      if (hash.digest("hex") !== header.sha256) throw new Error("the snapshot's hash differs")
    },
  }
}

/** The runs of pages that hold something, ascending. */
function* pagesInUse(memory: Uint8Array): Generator<Run> {
  const zeros = Buffer.alloc(PAGE_BYTES)
  let runStart = -1
  for (let offset = 0; offset < memory.length; offset += PAGE_BYTES) {
    const page = memory.subarray(offset, offset + PAGE_BYTES)
    const empty = zeros.compare(page, 0, page.length, 0, page.length) === 0
    if (!empty && runStart < 0) runStart = offset
    if (empty && runStart >= 0) {
      yield [runStart, offset - runStart]
      runStart = -1
    }
  }
  if (runStart >= 0) yield [runStart, memory.length - runStart]
}
