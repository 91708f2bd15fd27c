import { inflateSync } from "node:zlib"
import { sizeAt } from "./git-delta.ts"

/** Reads bytes of an open file: fewer at its end. */
export type ReadAt = (offset: number, count: number) => Buffer

/** An object of a pack as it is stored. */
export type PackEntry =
  | { type: "blob"; bytes: Buffer }
  /** To be applied to the object at `base`: its offset in the same pack, or its name. */
  | { type: "delta"; base: number | string; bytes: Buffer }
  | { type: "other" }

const INDEX_MAGIC = "ff744f6300000002"
const FANOUT_AT = 8
const NAMES_AT = FANOUT_AT + 256 * 4

const BLOB = 3
const OFFSET_DELTA = 6
const NAME_DELTA = 7

/** Where the object lies in the pack that the index is of; undefined when it is not in it. */
export function findInPack(read: ReadAt, object: string, nameBytes: number): number | undefined {
  if (read(0, 8).toString("hex") !== INDEX_MAGIC) return undefined
  const name = Buffer.from(object, "hex")
  const [first = 0] = name
  const count = (at: number) => read(FANOUT_AT + at * 4, 4).readUInt32BE()
  const total = count(255)

  let low = first === 0 ? 0 : count(first - 1)
  let high = count(first)
  while (low < high) {
    const middle = (low + high) >> 1
    const order = read(NAMES_AT + middle * nameBytes, nameBytes).compare(name)
    if (order === 0) return offsetOf(read, middle, total, nameBytes)
    if (order < 0) low = middle + 1
    else high = middle
  }
  return undefined
}

/** Throws for what is broken, or larger than `limitBytes`. */
export function readPackEntry(
  read: ReadAt,
  offset: number,
  { nameBytes, limitBytes }: { nameBytes: number; limitBytes: number },
): PackEntry {
  const head = read(offset, 64)
  const { value, end } = sizeAt(head, 0)
  const type = (head.readUInt8(0) >> 4) & 7
  // The first byte has the type between its flag and the four lowest bits of the size.
  const size = (head.readUInt8(0) & 0x0f) + Math.floor(value / 128) * 16
  if (size > limitBytes) throw new RangeError("too large")
  if (type === BLOB) return { type: "blob", bytes: inflateAt(read, offset + end, size) }

  if (type === OFFSET_DELTA) {
    const distance = distanceAt(head, end)
    const bytes = inflateAt(read, offset + distance.end, size)
    return { type: "delta", base: offset - distance.value, bytes }
  }
  if (type === NAME_DELTA) {
    const base = head.toString("hex", end, end + nameBytes)
    return { type: "delta", base, bytes: inflateAt(read, offset + end + nameBytes, size) }
  }
  return { type: "other" }
}

function offsetOf(read: ReadAt, position: number, total: number, nameBytes: number): number {
  const offsetsAt = NAMES_AT + total * (nameBytes + 4)
  const short = read(offsetsAt + position * 4, 4).readUInt32BE()
  if (short < 0x8000_0000) return short
  const long = read(offsetsAt + total * 4 + (short - 0x8000_0000) * 8, 8)
  return Number(long.readBigUInt64BE())
}

/** What is compressed may be a little longer than what comes of it; what follows is ignored. */
function inflateAt(read: ReadAt, offset: number, size: number): Buffer {
  const compressed = read(offset, size + Math.ceil(size / 1_000) + 64)
  const bytes = inflateSync(compressed, { maxOutputLength: Math.max(size, 1) })
  if (bytes.length !== size) throw new RangeError("of another size")
  return bytes
}

/** How far before this object its base lies: groups of seven bits, the highest first. */
function distanceAt(bytes: Buffer, start: number): { value: number; end: number } {
  let at = start
  let byte = bytes.readUInt8(at)
  let value = byte & 0x7f
  while ((byte & 0x80) !== 0) {
    at += 1
    byte = bytes.readUInt8(at)
    value = (value + 1) * 128 + (byte & 0x7f)
  }
  return { value, end: at + 1 }
}
