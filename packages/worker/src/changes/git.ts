import { createHash } from "node:crypto"
import { sha256Of } from "../files/content.ts"
import type { Root } from "../files/walk.ts"
import { type GitIndex, readGitIndex } from "./git-index.ts"
import { type Content, readAsSeen } from "./reading.ts"
import { slices } from "./slices.ts"
import { absoluteOf, type FileStat, isSame, statOf } from "./snapshot.ts"

/** What git knows of the files below the root at one moment. */
export interface GitLook {
  /** True for a folder with tracked files. */
  hasFolder(path: string): boolean
  tracks(path: string): boolean
  /** True for a tracked file that is as git last saw it: git keeps its content. */
  isClean(path: string, stat: FileStat): boolean
  /**
   * Whether tracked files are not as they were committed, or what was added is not committed. Null
   * when that was not found out in time, or is not known.
   */
  isDirty(endsAtMs: number): Promise<boolean | null>
  /** The content of a clean file; undefined where git's may be another, or cannot be read. */
  contentOf(path: string, stat: FileStat): Promise<Content | undefined>
}

/** The repository whose `.git` folder lies in the root; a root without one has nothing to say. */
export interface Git {
  readonly none: GitLook
  /** Reads the index again if it changed. git itself is not run: its configuration is the project's. */
  look(): Promise<GitLook>
}

/** Larger ones belong to trees that are not looked at whole. */
const INDEX_LIMIT_BYTES = 16 * 1_048_576

/** The system keeps times to the nanosecond, Node to a part of a microsecond. */
const SAME_TIME_MS = 0.001

const none: GitLook = {
  hasFolder: () => false,
  tracks: () => false,
  isClean: () => false,
  isDirty: async () => null,
  contentOf: async () => undefined,
}

export function gitOf(root: Root): Git {
  let seen: FileStat | undefined
  let last: GitLook = none

  return {
    none,
    async look() {
      const stat = statOf(absoluteOf(root.path, ".git/index"))
      if (stat === undefined || stat.bytes > INDEX_LIMIT_BYTES) {
        seen = undefined
        last = none
      } else if (seen === undefined || !isSame(seen, stat)) {
        seen = stat
        last = await readLook(root, stat)
      }
      return last
    },
  }
}

async function readLook(root: Root, stat: FileStat): Promise<GitLook> {
  const file = await readAsSeen(root, ".git/index", stat)
  const nameBytes = await objectNameBytes(root)
  const index = file && (await readGitIndex(file.bytes, nameBytes))
  return index === undefined ? none : lookAt(root, index, { stat, nameBytes })
}

function lookAt(
  root: Root,
  index: GitIndex,
  { stat: { modifiedMs: writtenMs }, nameBytes }: { stat: FileStat; nameBytes: 20 | 32 },
): GitLook {
  const isClean = (path: string, stat: FileStat) => {
    const tracked = index.get(path)
    return (
      tracked !== undefined &&
      tracked.bytes === stat.bytes &&
      isSameTime(tracked.modifiedMs, stat.modifiedMs) &&
      isSameTime(tracked.changedMs, stat.changedMs) &&
      // A file may have changed once more in the moment in which the index was written.
      stat.modifiedMs < writtenMs
    )
  }

  return {
    isClean,
    hasFolder: path => index.hasFolder(path),
    tracks: path => index.get(path) !== undefined,
    async isDirty(endsAtMs) {
      if (index.isStaged) return true
      const turns = slices()
      let seen = 0
      for (const path of index.paths()) {
        seen += 1
        if (seen % 64 === 0 && turns.due()) await turns.next()
        if (performance.now() > endsAtMs) return null
        const stat = statOf(absoluteOf(root.path, path))
        if (stat === undefined) return true
        if (isClean(path, stat)) continue
        if (index.get(path)?.bytes !== stat.bytes) return true
        // Touched, or written in the moment of the index: its content decides.
        const content = await readAsSeen(root, path, stat)
        if (content === undefined) return null
        if (blobName(content.bytes, nameBytes) !== index.objectOf(path)) return true
      }
      return false
    },
    async contentOf(path, stat) {
      const object = isClean(path, stat) ? index.objectOf(path) : undefined
      if (object === undefined) return undefined
      const { readBlob } = await import("./git-objects.ts")
      // Of another size, what git keeps went through a filter (line ends, LFS).
      const bytes = await readBlob(root, object, stat.bytes)
      return bytes && { bytes, sha256: sha256Of(bytes) }
    },
  }
}

/** How long the names of a repository's objects are. */
async function objectNameBytes(root: Root): Promise<20 | 32> {
  const stat = statOf(absoluteOf(root.path, ".git/config"))
  const config = stat && stat.bytes < 1_048_576 && (await readAsSeen(root, ".git/config", stat))
  if (!config) return 20
  return /^\s*objectformat\s*=\s*sha256/im.test(config.bytes.toString()) ? 32 : 20
}

/** The name that git gives a content. */
function blobName(bytes: Buffer, nameBytes: 20 | 32): string {
  const digest = createHash(nameBytes === 20 ? "sha1" : "sha256")
  return digest.update(`blob ${bytes.length}\0`).update(bytes).digest("hex")
}

function isSameTime(oneMs: number, otherMs: number): boolean {
  return Math.abs(oneMs - otherMs) < SAME_TIME_MS
}
