import { readlinkSync } from "node:fs"
import { sep } from "node:path"
import { openToRead, type Pass, passOver, sha256Of } from "../files/content.ts"
import { guardOf } from "../files/guard.ts"
import { type Root, walk } from "../files/walk.ts"
import type { FileStat } from "./snapshot.ts"

/** A content and its hash; of a link its target. */
export type Content = { bytes: Buffer; sha256: string }

/**
 * Reads a file or link below the root as it was when `stat` was taken; undefined when it is not
 * that file any more. What leads out of the root is never opened.
 */
export async function readAsSeen(
  root: Root,
  path: string,
  stat: FileStat,
): Promise<Content | undefined> {
  try {
    return stat.type === "link" ? readTarget(root, path) : await pass(root, path, stat, stat.bytes)
  } catch {
    return undefined
  }
}

/** The same of a content that is too large to be held. */
export async function hashAsSeen(
  root: Root,
  path: string,
  stat: FileStat,
): Promise<string | undefined> {
  try {
    return (await pass(root, path, stat, 0))?.sha256
  } catch {
    return undefined
  }
}

/** Secret files are read too, for their hash: whoever keeps contents leaves theirs out. */
const guard = guardOf({ permits: ["secret_file"], secretFiles: [] })

async function pass(
  root: Root,
  path: string,
  stat: FileStat,
  limitBytes: number,
): Promise<Pass | undefined> {
  const place = walk(root, path)
  if (place.status === "refused") return undefined
  try {
    // A link on the way leads to a file that has another path, and is looked at there.
    const isThere = place.rest.length === 0 && place.names.join("/") === path
    const file = isThere ? openToRead({ root, guard }, place.step, path) : undefined
    if (file === undefined || file.status === "refused") return undefined
    try {
      const { ino, ctimeMs, size } = file.stats
      if (ino !== stat.inode || ctimeMs !== stat.changedMs || size !== stat.bytes) return undefined
      const found = await passOver(file, { offset: 0, limitBytes })
      return found.size === stat.bytes ? found : undefined
    } finally {
      file.close()
    }
  } finally {
    place.close()
  }
}

function readTarget(root: Root, path: string): Content | undefined {
  const slash = path.lastIndexOf("/")
  const place = walk(root, slash === -1 ? "." : path.slice(0, slash))
  if (place.status === "refused") return undefined
  try {
    if (place.rest.length > 0) return undefined
    const link = `${place.step.as}${sep}${path.slice(slash + 1)}`
    const bytes = readlinkSync(link, { encoding: "buffer" })
    return { bytes, sha256: sha256Of(bytes) }
  } finally {
    place.close()
  }
}
