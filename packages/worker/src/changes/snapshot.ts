import { lstatSync, type Stats } from "node:fs"
import { sep } from "node:path"
import { controlFile, controlFiles, foldedName } from "@harness/protocol"
import type { Entry, Listings } from "./listings.ts"
import { slices } from "./slices.ts"

/** A file or link as the system describes it; equal in all fields means that nothing changed. */
export type FileStat = {
  type: "file" | "link"
  bytes: number
  mode: number
  /** Names of the file: more than one means hard links. */
  links: number
  inode: number
  modifiedMs: number
  changedMs: number
}

/** What a look at the tree below the root found. Paths are relative to the root, with `/`. */
export type Snapshot = {
  files: ReadonlyMap<string, FileStat>
  /** Control files inside `.git` folders: no files of the project, but they steer what git runs. */
  inside: ReadonlyMap<string, FileStat>
  /** Control files and folders that exist, at any depth. */
  control: readonly string[]
  /** Every folder that was seen, and whether all files in it were. */
  folders: ReadonlyMap<string, boolean>
  /** False: the tree is larger, or took longer, than a look may. */
  complete: boolean
  /** When the look began: milliseconds since 1970. */
  takenAtMs: number
}

/** Which folders a look leaves out. */
export interface Ignoring {
  /** Takes the folder's own rules into account, for it and all below it. */
  enter(folder: string, rulesFile: FileStat | undefined): Promise<void>
  ignores(folder: string): boolean
}

export type SnapshotOptions = {
  /** Absolute. */
  root: string
  /** Absolute folders that are not looked into, wherever they lie. */
  skip: readonly string[]
  ignoring: Ignoring
  listings: Listings
  limits: { entries: number; milliseconds: number }
}

/** What is looked for in a folder. `control`: everything; `git` and `shallow`: control files alone. */
type Zone = "project" | "control" | "git" | "shallow"

type Folder = { path: string; depth: number; zone: Zone }

const MAX_DEPTH = 64

/** Folders of `.git` that hold no control files, and may hold thousands of others. */
const GIT_STORES = new Set(["objects", "refs", "logs", "lfs", "rr-cache", "branches"])

/** First names of the control files: whatever has one of them is looked at, ignored or not. */
const CONTROL_NAMES = new Set(controlFiles.map(pattern => pattern.split("/", 1)[0]))

/**
 * Looks at every file and link below the root, a slice at a time. Other file systems, ignored
 * folders and `node_modules` are left out, but for control files right in them.
 */
export async function takeSnapshot(options: SnapshotOptions): Promise<Snapshot> {
  const { root, ignoring, listings, limits } = options
  const takenAtMs = Date.now()
  const endsAtMs = performance.now() + limits.milliseconds
  const turns = slices()
  const skipped = new Set(options.skip)
  const files = new Map<string, FileStat>()
  const inside = new Map<string, FileStat>()
  const control: string[] = []
  const listed = new Map<string, boolean>()
  // Grows while it is walked: what is near the root is seen first.
  const folders: Folder[] = [{ path: "", depth: 0, zone: "project" }]
  const device = statsOf(root)?.dev
  let seen = 0

  for (const folder of folders) {
    const absolute = absoluteOf(root, folder.path)
    const stats = statsOf(absolute)
    if (stats === undefined || stats.dev !== device || !stats.isDirectory()) continue

    const entries = listings.of(folder.path, absolute, stats)
    if (folder.zone === "project") await readRules(folder.path, entries)
    for (const entry of entries) {
      seen += 1
      if (seen % 64 === 0 && turns.due()) await turns.next()
      if (seen > limits.entries || performance.now() > endsAtMs) return found(false)
      look(folder, entry)
    }
    listed.set(folder.path, folder.zone === "project" || folder.zone === "control")
  }
  listings.keepOnly(listed)
  return found(device !== undefined)

  function look(folder: Folder, entry: Entry): void {
    const path = folder.path === "" ? entry.name : `${folder.path}/${entry.name}`
    const named = isControlName(entry.name)
    if (entry.isFolder) {
      listed.set(path, false)
      const zone = zoneOf(folder, entry.name, path, named)
      if (zone === undefined || skipped.has(absoluteOf(root, path))) return
      const isWhole = zone === "control" || (zone === "git" && folder.zone === "git")
      if (isWhole && controlFile(path) !== null) control.push(path)
      if (folder.depth < MAX_DEPTH) folders.push({ path, depth: folder.depth + 1, zone })
      return
    }

    const mayControl = named || folder.zone === "git" || folder.zone === "control"
    const controls = mayControl && controlFile(path) !== null
    if (controls) control.push(path)
    if (!controls && (folder.zone === "git" || folder.zone === "shallow")) return
    const stat = statOf(absoluteOf(root, path))
    if (stat !== undefined) (folder.zone === "git" ? inside : files).set(path, stat)
  }

  function zoneOf({ zone }: Folder, name: string, path: string, named: boolean): Zone | undefined {
    if (zone === "git") return GIT_STORES.has(name) ? undefined : "git"
    if (named && foldedName(name) === ".git") return "git"
    if (zone === "control" || named) return "control"
    if (zone === "shallow") return undefined
    return name === "node_modules" || ignoring.ignores(path) ? "shallow" : "project"
  }

  async function readRules(path: string, entries: readonly Entry[]): Promise<void> {
    const isThere = entries.some(({ name }) => name === ".gitignore")
    const rulesPath = path === "" ? ".gitignore" : `${path}/.gitignore`
    const rules = isThere ? statOf(absoluteOf(root, rulesPath)) : undefined
    // git does not follow a link here either.
    await ignoring.enter(path, rules?.type === "file" ? rules : undefined)
  }

  function found(complete: boolean): Snapshot {
    return { files, inside, control, folders: listed, complete, takenAtMs }
  }
}

/** All of them begin with a dot, or with a character that some file system leaves out. */
export function isControlName(name: string): boolean {
  const first = name.charCodeAt(0)
  return (first === 0x2e || first > 0x7e) && CONTROL_NAMES.has(foldedName(name))
}

/** How a file or link is now; undefined for what is neither, or gone. */
export function statOf(absolute: string): FileStat | undefined {
  const stats = statsOf(absolute)
  return stats && describe(stats)
}

/** The same file of the same content, as far as the system can tell. */
export function isSame(one: FileStat, other: FileStat): boolean {
  return (
    one.changedMs === other.changedMs &&
    one.modifiedMs === other.modifiedMs &&
    one.bytes === other.bytes &&
    one.inode === other.inode &&
    one.mode === other.mode &&
    one.type === other.type
  )
}

/** The clock of a file system goes in steps: two changes within one have the same time. */
const CLOCK_STEP_MS = 20

/** False when the file could have changed once more at `seenAtMs`, and look the same. */
export function isSettled({ changedMs }: Pick<FileStat, "changedMs">, seenAtMs: number): boolean {
  return changedMs < seenAtMs - CLOCK_STEP_MS
}

export function absoluteOf(root: string, path: string): string {
  const prefix = root.endsWith(sep) ? root : root + sep
  return path === "" ? root : prefix + path
}

function describe(stats: Stats): FileStat | undefined {
  const isLink = stats.isSymbolicLink()
  if (!isLink && !stats.isFile()) return undefined
  return {
    type: isLink ? "link" : "file",
    bytes: stats.size,
    mode: stats.mode & 0o7777,
    links: stats.nlink,
    inode: stats.ino,
    modifiedMs: stats.mtimeMs,
    changedMs: stats.ctimeMs,
  }
}

/** Undefined for what is gone, or lies in a folder that may not be searched. */
export function statsOf(absolute: string): Stats | undefined {
  try {
    return lstatSync(absolute, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
