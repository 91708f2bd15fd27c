import { createHash } from "node:crypto"
import { readdirSync, readSync } from "node:fs"
import { inflateSync } from "node:zlib"
import { openToRead } from "../files/content.ts"
import { guardOf } from "../files/guard.ts"
import { type Root, walk } from "../files/walk.ts"
import { applyDelta } from "./git-delta.ts"
import { findInPack, type PackEntry, type ReadAt, readPackEntry } from "./git-pack.ts"

/** What an object may be stored against, and that against another one. */
const MAX_DELTAS = 100

/** A base may be larger than what is made of it. */
const BASE_LIMIT_BYTES = 8 * 1_048_576

/**
 * The content of a blob of the repository in the root, loose or packed; undefined when it is not
 * there, is not of `bytes` bytes, or does not have the hash that it is named by.
 */
export async function readBlob(
  root: Root,
  object: string,
  bytes: number,
): Promise<Buffer | undefined> {
  if (bytes > BASE_LIMIT_BYTES) return undefined
  try {
    const content = blobOf(root, object, MAX_DELTAS)
    return content?.length === bytes && nameOf(content, object.length) === object
      ? content
      : undefined
  } catch {
    return undefined
  }
}

function blobOf(root: Root, object: string, deltas: number): Buffer | undefined {
  return looseBlob(root, object) ?? packedBlob(root, object, deltas)
}

function looseBlob(root: Root, object: string): Buffer | undefined {
  const path = `.git/objects/${object.slice(0, 2)}/${object.slice(2)}`
  const stored = whileOpen(root, path, (read, size) => read(0, Math.min(size, BASE_LIMIT_BYTES)))
  if (stored === undefined) return undefined
  const whole = inflateSync(stored, { maxOutputLength: BASE_LIMIT_BYTES })
  const headEnd = whole.indexOf(0)
  return whole.toString("latin1", 0, 5) === "blob " ? whole.subarray(headEnd + 1) : undefined
}

function packedBlob(root: Root, object: string, deltas: number): Buffer | undefined {
  const nameBytes = object.length / 2
  for (const index of packIndexes(root)) {
    const offset = whileOpen(root, index, read => findInPack(read, object, nameBytes))
    if (offset === undefined) continue
    const pack = index.replace(/\.idx$/, ".pack")
    return whileOpen(root, pack, read => unpack(root, read, offset, { nameBytes, deltas }))
  }
  return undefined
}

function unpack(
  root: Root,
  read: ReadAt,
  offset: number,
  { nameBytes, deltas }: { nameBytes: number; deltas: number },
): Buffer | undefined {
  const pending: Buffer[] = []
  let at: number | string = offset
  while (pending.length <= deltas && typeof at === "number") {
    const entry: PackEntry = readPackEntry(read, at, { nameBytes, limitBytes: BASE_LIMIT_BYTES })
    if (entry.type === "other") return undefined
    if (entry.type === "blob") return built(entry.bytes, pending)
    pending.push(entry.bytes)
    at = entry.base
  }
  const base = typeof at === "string" ? blobOf(root, at, deltas - pending.length) : undefined
  return base && built(base, pending)
}

function built(base: Buffer, deltas: readonly Buffer[]): Buffer {
  return deltas.reduceRight((object, delta) => applyDelta(object, delta, BASE_LIMIT_BYTES), base)
}

function packIndexes(root: Root): string[] {
  const folder = ".git/objects/pack"
  const place = walk(root, folder)
  if (place.status === "refused") return []
  try {
    if (place.rest.length > 0) return []
    const names = readdirSync(place.step.as).filter(name => name.endsWith(".idx"))
    return names.map(name => `${folder}/${name}`)
  } finally {
    place.close()
  }
}

const guard = guardOf({ permits: [], secretFiles: [] })

/** Objects are read from the root like any file: a link that leads out is not followed. */
function whileOpen<Found>(
  root: Root,
  path: string,
  use: (read: ReadAt, size: number) => Found,
): Found | undefined {
  const place = walk(root, path)
  if (place.status === "refused") return undefined
  try {
    if (place.rest.length > 0) return undefined
    const file = openToRead({ root, guard }, place.step, path)
    if (file.status === "refused") return undefined
    try {
      return use((offset, count) => readAt(file.descriptor, offset, count), file.stats.size)
    } finally {
      file.close()
    }
  } finally {
    place.close()
  }
}

function readAt(descriptor: number, offset: number, count: number): Buffer {
  const bytes = Buffer.alloc(count)
  return bytes.subarray(0, readSync(descriptor, bytes, 0, count, offset))
}

function nameOf(content: Buffer, hexadecimalLength: number): string {
  const hash = createHash(hexadecimalLength === 64 ? "sha256" : "sha1")
  return hash.update(`blob ${content.length}\0`).update(content).digest("hex")
}
