import { slices } from "./slices.ts"

/** A file that git tracks, as it last saw it in the working tree. */
export type Tracked = {
  bytes: number
  modifiedMs: number
  changedMs: number
}

/** What `.git/index` says. */
export interface GitIndex {
  readonly size: number
  get(path: string): Tracked | undefined
  /** The name of its blob, in hexadecimal. */
  objectOf(path: string): string | undefined
  /** True for a folder that a tracked file lies in, at any depth. */
  hasFolder(path: string): boolean
  paths(): Iterable<string>
  /** It holds what is not committed: a conflict, or something that was added since the last commit. */
  readonly isStaged: boolean
}

/** The fixed part of an entry before the object's name: ten numbers of 32 bits. */
const STAT_BYTES = 40

/** Files whose flags say that git did not look, or will not find a blob: skip, intend-to-add. */
const EXTENDED_FLAG = 0x4000
const SKIPPED_FLAGS = 0x6000
const INTENT_TO_ADD = 0x2000
const MODE_TYPE = 0o170000
const REGULAR = 0o100000
const LINK = 0o120000

/**
 * Reads an index of version 2, 3 or 4. Undefined for what is none, or is made in a way that we do
 * not know (a split index, other object names).
 *
 * @param nameBytes 20 for repositories of SHA-1, 32 for SHA-256
 */
export async function readGitIndex(
  file: Buffer,
  nameBytes: 20 | 32,
): Promise<GitIndex | undefined> {
  try {
    return await parse(file, nameBytes)
  } catch {
    // It ends in the middle: it is being written, or it is broken.
    return undefined
  }
}

async function parse(file: Buffer, nameBytes: number): Promise<GitIndex | undefined> {
  const version = file.readUInt32BE(4)
  if (file.toString("latin1", 0, 4) !== "DIRC" || version < 2 || version > 4) return undefined

  /** Where the entries begin. */
  const entries = new Map<string, number>()
  const folders = new Set<string>()
  const turns = slices()
  const count = file.readUInt32BE(8)
  let at = 12
  let path = ""
  let isUnmerged = false
  for (let entry = 0; entry < count; entry += 1) {
    if (entry % 256 === 255 && turns.due()) await turns.next()
    const flagsAt = at + STAT_BYTES + nameBytes
    const flags = file.readUInt16BE(flagsAt)
    const isExtended = version >= 3 && (flags & EXTENDED_FLAG) !== 0
    const extended = isExtended ? file.readUInt16BE(flagsAt + 2) : 0
    let nameAt = flagsAt + (isExtended ? 4 : 2)

    if (version === 4) {
      const cut = variableNumber(file, nameAt)
      nameAt = cut.end
      path = shortened(path, cut.value)
    } else {
      path = ""
    }
    const nameEnd = file.indexOf(0, nameAt)
    if (nameEnd === -1) return undefined
    path += file.toString("utf8", nameAt, nameEnd)

    const type = file.readUInt32BE(at + 24) & MODE_TYPE
    const stage = (flags >> 12) & 3
    if ((type === REGULAR || type === LINK) && stage === 0 && (extended & SKIPPED_FLAGS) === 0) {
      entries.set(path, at)
    }
    isUnmerged ||= stage !== 0 || (extended & INTENT_TO_ADD) !== 0
    addFolders(folders, path)
    // Versions 2 and 3 fill an entry up to a multiple of eight, with at least one NUL.
    at = version === 4 ? nameEnd + 1 : at + ((nameEnd - at + 8) & ~7)
  }

  return {
    size: entries.size,
    get(name) {
      const entryAt = entries.get(name)
      return entryAt === undefined ? undefined : trackedAt(file, entryAt)
    },
    objectOf(name) {
      const entryAt = entries.get(name)
      if (entryAt === undefined) return undefined
      return file.toString("hex", entryAt + STAT_BYTES, entryAt + STAT_BYTES + nameBytes)
    },
    hasFolder: name => folders.has(name),
    paths: () => entries.keys(),
    isStaged: isUnmerged || hasOutdatedTree(file, { start: at, end: file.length - nameBytes }),
  }
}

/**
 * git keeps the tree that it last wrote from the index beside the entries, and strikes it out with the
 * next file that is added. A commit writes it anew.
 */
function hasOutdatedTree(file: Buffer, { start, end }: { start: number; end: number }): boolean {
  for (let at = start; at + 8 <= end; at += 8 + file.readUInt32BE(at + 4)) {
    const isTree = file.toString("latin1", at, at + 4) === "TREE"
    // The root's path is empty; then comes the number of its entries, -1 when it is struck out.
    if (isTree) return file.toString("latin1", at + 8, at + 11) === "\0-1"
  }
  return false
}

function trackedAt(file: Buffer, at: number): Tracked {
  const milliseconds = (offset: number) =>
    file.readUInt32BE(offset) * 1_000 + file.readUInt32BE(offset + 4) / 1_000_000
  return {
    changedMs: milliseconds(at),
    modifiedMs: milliseconds(at + 8),
    bytes: file.readUInt32BE(at + 36),
  }
}

function addFolders(folders: Set<string>, path: string): void {
  for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
    const folder = path.slice(0, slash)
    if (folders.has(folder)) return
    folders.add(folder)
  }
}

/** How many bytes of the previous name are not shared; names are compared as bytes. */
function shortened(path: string, bytes: number): string {
  const whole = Buffer.from(path)
  return whole.toString("utf8", 0, whole.length - bytes)
}

/** A number in groups of seven bits, the highest first, as offsets in packs are written too. */
function variableNumber(file: Buffer, start: number): { value: number; end: number } {
  let at = start
  let byte = file.readUInt8(at)
  let value = byte & 0x7f
  while ((byte & 0x80) !== 0) {
    at += 1
    byte = file.readUInt8(at)
    value = (value + 1) * 128 + (byte & 0x7f)
  }
  return { value, end: at + 1 }
}
