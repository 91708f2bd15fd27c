import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs"

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

/** The text of a small file; empty where there is none or we may not look. */
export function textOf(file: string): string {
  try {
    return lstatSync(file).isFile() ? readFileSync(file, "utf8") : ""
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
