import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs"

/** A place of the file system with all links resolved. */
export type Place = { path: string; type: "folder" | "file" }

/**
 * Where a path leads; undefined when there is nothing or we may not look. Most paths lead nowhere,
 * and many are looked at for each command: to find that out is made cheap.
 */
export function placeAt(path: string): Place | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return undefined
    return { path: realpathSync.native(path), type: stats.isDirectory() ? "folder" : "file" }
  } catch {
    return undefined
  }
}

/** Where a path leads, cheaper than `placeAt`: what lies there is not asked. */
export function realPathOf(path: string): string | undefined {
  try {
    return existsSync(path) ? realpathSync.native(path) : undefined
  } catch {
    return undefined
  }
}

/** What lies at a path itself, a link not followed. */
export function entryAt(path: string): "folder" | "file" | "link" | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return undefined
    if (stats.isSymbolicLink()) return "link"
    return stats.isDirectory() ? "folder" : "file"
  } catch {
    return undefined
  }
}

/** The names in a folder; none where there is no folder or we may not look. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** A file that we read is one that git writes: a line or a short configuration. */
const TEXT_BYTES = 65_536

/** The start of a small file; empty where there is none or we may not look. A FIFO is no file. */
export function textOf(file: string): string {
  try {
    const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants
    const descriptor = openSync(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
    try {
      if (!fstatSync(descriptor).isFile()) return ""
      const bytes = Buffer.alloc(TEXT_BYTES)
      return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, bytes.length, 0))
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return ""
  }
}

/** True for the folder itself and everything below it; both are absolute and normalised. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || isBelow(path, folder)
}

export function isBelow(path: string, folder: string): boolean {
  return path !== folder && path.startsWith(folder === "/" ? folder : `${folder}/`)
}
