import { lstatSync, readdirSync, type Stats } from "node:fs"
import { join, sep } from "node:path"
import type { FileContent, FileEntry, FileProblem, Files, FileWindow } from "@harness/sdk"
import type { ActionEvidence } from "../evidence/action-evidence.ts"
import { type Guarded, openToRead, passOver } from "./content.ts"
import { untilHeld } from "./exchanged.ts"
import { fromSystem, notFound, outsideRoot, refused } from "./problems.ts"
import { remove } from "./remove.ts"
import { type Replacements, replace } from "./replace.ts"
import { isHidden, namesNow, type Place, type Root, shown, walk } from "./walk.ts"

export type FilesOptions = Guarded & {
  /** Shared by all `Files` of one root: replacements wait for each other. */
  replacements: Replacements
  /** Where before and after of a replacement are kept; without it the files can only be read. */
  evidence: ActionEvidence | undefined
}

/** The confined file layer of one action. */
export function confinedFiles({ root, guard, replacements, evidence }: FilesOptions): Files {
  const guarded = { root, guard }
  return {
    read: (path, options) => at(root, path, place => read(guarded, place, path, options)),
    window: (path, options) => at(root, path, place => readWindow(guarded, place, path, options)),
    list: path => at(root, path, place => list(root, place, path)),
    locate: path => at(root, path, async place => locate(root, place, path)),

    async replace(path, bytes, { expected, mode }) {
      if (evidence === undefined) {
        return refused("unwritable", path, `${path} was not written: this action may only read.`)
      }
      const { staging } = replacements
      return await replacements.inTurn(() =>
        replace({ root, guard, staging, evidence, path, bytes, mode, expected }),
      )
    },

    async remove(path, { expected }) {
      if (evidence === undefined) {
        return refused("unwritable", path, `${path} was not removed: this action may only read.`)
      }
      const { exclusive } = replacements.staging
      return await replacements.inTurn(() =>
        exclusive.run(() => remove({ root, guard, evidence, path, expected })),
      )
    },
  }
}

async function at<Found>(
  root: Root,
  path: string,
  use: (place: Place) => Promise<Found | FileProblem>,
): Promise<Found | FileProblem> {
  const look = async () => {
    const place = walk(root, path)
    if (place.status === "refused") return place
    try {
      return place.rest.length > 0 ? notFound(path) : await use(place)
    } finally {
      place.close()
    }
  }
  try {
    return await untilHeld(look)
  } catch (error) {
    return fromSystem(error, path, "unreadable")
  }
}

async function read(
  guarded: Guarded,
  place: Place,
  path: string,
  { limitBytes }: { limitBytes: number },
): Promise<FileContent | FileProblem> {
  const file = openToRead(guarded, place.step, path)
  if (file.status === "refused") return file
  try {
    if (file.stats.size > limitBytes) return tooLarge(path, file.stats.size, limitBytes)
    const { bytes, size, sha256 } = await passOver(file, { offset: 0, limitBytes })
    // It may have grown since.
    if (size > limitBytes) return tooLarge(path, size, limitBytes)
    return {
      status: "read",
      path: shown(place.names),
      bytes,
      sha256,
      mode: file.stats.mode & 0o7777,
    }
  } finally {
    file.close()
  }
}

function tooLarge(path: string, size: number, limitBytes: number): FileProblem {
  return refused("too_large", path, `${path} has ${size} bytes; at most ${limitBytes} are read.`)
}

async function readWindow(
  guarded: Guarded,
  place: Place,
  path: string,
  window: { offset: number; limitBytes: number },
): Promise<FileWindow | FileProblem> {
  const file = openToRead(guarded, place.step, path)
  if (file.status === "refused") return file
  try {
    const { offset } = window
    return { status: "read", path: shown(place.names), offset, ...(await passOver(file, window)) }
  } finally {
    file.close()
  }
}

async function list(
  root: Root,
  place: Place,
  path: string,
): Promise<{ status: "listed"; entries: FileEntry[] } | FileProblem> {
  if (!place.step.stats.isDirectory()) {
    return refused("not_a_folder", path, `${path} is not a folder.`)
  }
  if (namesNow(root, place.step) === undefined) return outsideRoot(path)

  const entries: FileEntry[] = []
  for (const name of readdirSync(place.step.as).sort()) {
    if (isHidden(root, [...place.names, name])) continue
    const stats = lstatSync(`${place.step.as}${sep}${name}`, { throwIfNoEntry: false })
    if (stats === undefined) continue
    const type = typeOf(stats)
    entries.push({
      path: shown([...place.names, name]),
      type,
      size: type === "folder" ? 0 : stats.size,
    })
  }
  return { status: "listed", entries }
}

function locate(
  root: Root,
  place: Place,
  path: string,
): { status: "located"; path: string; absolute: string; type: FileEntry["type"] } | FileProblem {
  if (namesNow(root, place.step) === undefined) return outsideRoot(path)
  return {
    status: "located",
    path: shown(place.names),
    absolute: join(root.path, ...place.names),
    type: typeOf(place.step.stats),
  }
}

function typeOf(stats: Stats): FileEntry["type"] {
  if (stats.isFile()) return "file"
  if (stats.isDirectory()) return "folder"
  return stats.isSymbolicLink() ? "link" : "other"
}
