import { createHash } from "node:crypto"
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { failure, isFailure } from "@harness/protocol"
import { errnoOf, inWords } from "../config/errno.ts"

/** What a folder's `.harness/` holds of that which may count. */
export type ProjectContent =
  | { status: "none" }
  | { status: "unusable"; reason: string }
  | {
      status: "found"
      /** The sha256 over all of it. */
      sha256: string
      /** The text of config.jsonc; null without one. */
      config: string | null
      /** The folders below packages/, sorted. */
      packages: readonly string[]
    }

/** Beyond this a project cannot be looked through at each start: it is unusable. */
const maxFiles = 2_000
const maxBytes = 16 * 1_048_576

/**
 * Reads `.harness/` of a folder: config.jsonc and every file below packages/. Nothing is followed out
 * of it: a symbolic link anywhere makes it unusable, as does what is neither a file nor a folder.
 * The home itself, which is `.harness` when the folder is the user's own, brings nothing.
 */
export function readProjectContent(root: string, home: string): ProjectContent {
  const folder = join(root, ".harness")
  try {
    if (!isThere(folder) || isSame(folder, home)) return { status: "none" }
    mustBeFolder(folder, ".")
    const { files, packages } = look(folder)
    if (files.size === 0) return { status: "none" }

    const config = files.get("config.jsonc")
    return {
      status: "found",
      sha256: hashOf(files),
      config: config === undefined ? null : config.toString("utf8"),
      packages,
    }
  } catch (error) {
    return { status: "unusable", reason: reasonOf(error) }
  }
}

type Files = Map<string, Buffer>

function look(folder: string): { files: Files; packages: string[] } {
  const files: Files = new Map()
  let bytes = 0

  const add = (path: string) => {
    const content = readPlain(folder, path)
    files.set(path, content)
    bytes += content.length
    if (files.size > maxFiles) throw unusable(folder, `it has more than ${maxFiles} files`)
    if (bytes > maxBytes) throw unusable(folder, `it has more than ${maxBytes} bytes`)
  }
  const addAll = (path: string) => {
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      const inner = `${path}/${entry.name}`
      if (entry.isDirectory()) addAll(inner)
      else add(inner)
    }
  }

  if (isThere(join(folder, "config.jsonc"))) add("config.jsonc")
  const below = join(folder, "packages")
  if (!isThere(below)) return { files, packages: [] }
  mustBeFolder(folder, "packages")
  addAll("packages")
  const entries = readdirSync(below, { withFileTypes: true }).filter(entry => entry.isDirectory())
  return { files, packages: entries.map(({ name }) => join(below, name)).sort() }
}

/** Opened without following a link and without waiting for the other end of a pipe. */
function readPlain(folder: string, path: string): Buffer {
  const file = join(folder, path)
  if (!lstatSync(file).isFile()) throw unusable(folder, `${path} is ${kindOf(file)}`)

  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const descriptor = openSync(file, flags)
  try {
    const found = fstatSync(descriptor)
    if (!found.isFile()) throw unusable(folder, `${path} is not a file`)
    if (found.size > maxBytes) throw unusable(folder, `${path} has more than ${maxBytes} bytes`)
    return readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function mustBeFolder(folder: string, path: string): void {
  const found = join(folder, path)
  if (lstatSync(found).isDirectory()) return
  throw unusable(folder, `${path === "." ? "it" : path} is ${kindOf(found)}`)
}

function kindOf(path: string): string {
  const found = lstatSync(path)
  if (found.isSymbolicLink()) return "a symbolic link, which is never followed"
  if (found.isFile()) return "a file"
  return found.isDirectory() ? "a folder" : "neither a file nor a folder"
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

function isSame(folder: string, home: string): boolean {
  const [one, other] = [folder, home].map(path => statSync(path, { throwIfNoEntry: false }))
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev
}

/** Names are written as JSON, so that one with a line break in it is not two. */
function hashOf(files: Files): string {
  const lines = [...files].map(([path, content]) => JSON.stringify([path, sha256(content)]))
  return sha256(lines.sort().join("\n"))
}

function sha256(bytes: string | Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex")
}

function unusable(folder: string, reason: string) {
  return failure("project_unusable", { folder: dirname(folder), reason })
}

function reasonOf(error: unknown): string {
  if (isFailure(error, "project_unusable")) return String(error.details.reason)
  if (errnoOf(error) === undefined) throw error
  return `it cannot be read: ${inWords(error)}`
}
