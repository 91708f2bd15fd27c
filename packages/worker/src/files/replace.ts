import {
  accessSync,
  closeSync,
  constants,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
} from "node:fs"
import { sep } from "node:path"
import type { Expected, FileProblem, FileReplaced } from "@harness/sdk"
import type { ActionEvidence } from "../evidence/action-evidence.ts"
import { codeOf } from "../thrown.ts"
import { openToRead, type Pass, passOver, sha256Of } from "./content.ts"
import { fromSystem, notAFile, outsideRoot, refused } from "./problems.ts"
import { type Staged, stage, syncFolder } from "./staging.ts"
import type { Step } from "./steps.ts"
import { liesInside, type Place, type Root, shown, walk } from "./walk.ts"

export type Replacement = {
  root: Root
  evidence: ActionEvidence
  path: string
  bytes: Uint8Array
  expected: Expected
}

/**
 * Replaces a file's content in one step, or creates the file with its folders. The content is
 * compared with `expected` before anything is written and again right before the rename.
 */
export async function replace(replacement: Replacement): Promise<FileReplaced | FileProblem> {
  const { root, path } = replacement
  const place = walk(root, path)
  if (place.status === "refused") return place
  try {
    const { folder } = place
    if (folder === undefined) return notAFile(path)
    if (place.rest.length > 0) return await create(replacement, place)
    return await exchange(replacement, place, folder)
  } catch (error) {
    return fromSystem(error, path, "unwritable")
  } finally {
    place.close()
  }
}

/** Lets one replacement run at a time, so that of two with the same `expected` one meets a conflict. */
export interface Replacements {
  inTurn<Result>(run: () => Promise<Result>): Promise<Result>
}

export function replacementsInTurn(): Replacements {
  let last: Promise<unknown> = Promise.resolve()
  return {
    inTurn(run) {
      const result = last.then(run)
      last = result.catch(() => undefined)
      return result
    },
  }
}

async function exchange(
  { root, evidence, path, bytes, expected }: Replacement,
  place: Place,
  folder: Step,
): Promise<FileReplaced | FileProblem> {
  const name = place.names.at(-1) ?? ""
  const file = openToRead(root, place.step, path)
  if (file.status === "refused") return file
  let before: Pass
  try {
    before = await passOver(file, { offset: 0, limitBytes: evidence.remainingBytes })
  } finally {
    file.close()
  }

  const real = shown(place.names)
  if (before.sha256 !== expected) return { status: "conflict", path: real, found: before.sha256 }
  accessSync(place.step.as, constants.W_OK)

  const payloads = [
    { role: "before", bytes: before.bytes, path: real },
    { role: "after", bytes, path: real },
  ]
  const partial = before.bytes.length < before.size
  if (partial || evidence.keep(payloads) === null) return exhausted(path, evidence)

  const staged = await stage(folder, bytes, file.stats)
  try {
    const found = await hashOf(root, folder, name)
    if (found !== expected) return { status: "conflict", path: real, found }
    if (!liesInside(root, folder)) return outsideRoot(path)
    renameSync(staged.path, within(folder, name))
  } finally {
    staged.discard()
  }
  syncFolder(folder)
  return written(real, before.sha256, bytes)
}

async function create(
  { root, evidence, path, bytes, expected }: Replacement,
  place: Place,
): Promise<FileReplaced | FileProblem> {
  const real = shown([...place.names, ...place.rest])
  if (expected !== "absent") return { status: "conflict", path: real, found: null }
  if (evidence.keep([{ role: "after", bytes, path: real }]) === null) {
    return exhausted(path, evidence)
  }

  const parents = makeFolders(root, place)
  let created = false
  try {
    const { folder } = parents
    const name = place.rest.at(-1) ?? ""
    const staged = await stage(folder, bytes, undefined)
    try {
      if (!liesInside(root, folder)) return outsideRoot(path)
      created = appear(staged, within(folder, name))
      if (!created) {
        return { status: "conflict", path: real, found: await hashOf(root, folder, name) }
      }
    } finally {
      staged.discard()
    }
    syncFolder(folder)
    if (parents.made.length > 0) syncFolder(place.step)
    return written(real, null, bytes)
  } finally {
    if (!created) parents.undo()
    parents.close()
  }
}

type Parents = { folder: Step; made: readonly string[]; undo(): void; close(): void }

/** Makes the missing folders of a place one by one, each below the one that is held. */
function makeFolders(root: Root, place: Place): Parents {
  const made: string[] = []
  const held: Step[] = []
  const undo = () => {
    for (const path of made.toReversed()) removeEmpty(path)
  }
  const close = () => {
    for (const step of held) step.close()
  }

  let folder = place.step
  try {
    for (const name of place.rest.slice(0, -1)) {
      mkdirSync(within(folder, name))
      made.push(within(folder, name))
      folder = root.steps.enter(folder, name)
      held.push(folder)
    }
    return { folder, made, undo, close }
  } catch (error) {
    undo()
    close()
    throw error
  }
}

function removeEmpty(path: string): void {
  try {
    rmdirSync(path)
  } catch {
    // Something else was put there meanwhile: it stays.
  }
}

/** A link refuses a name that exists, which a rename would overwrite. False when it exists. */
function appear(staged: Staged, target: string): boolean {
  try {
    linkSync(staged.path, target)
    return true
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(codeOf(error))) throw error
  }
  return appearWithoutLinks(staged, target)
}

/** File systems without hard links: an empty file holds the name until the rename takes its place. */
function appearWithoutLinks(staged: Staged, target: string): boolean {
  try {
    closeSync(openSync(target, "wx"))
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false
    throw error
  }
  renameSync(staged.path, target)
  return true
}

/** The hash of what has the name now; null when nothing has, or no regular file. */
async function hashOf(root: Root, folder: Step, name: string): Promise<string | null> {
  let step: Step
  try {
    step = root.steps.enter(folder, name)
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null
    throw error
  }
  try {
    const file = openToRead(root, step, name)
    if (file.status === "refused") return null
    try {
      return (await passOver(file, { offset: 0, limitBytes: 0 })).sha256
    } finally {
      file.close()
    }
  } finally {
    step.close()
  }
}

function within(folder: Step, name: string): string {
  return `${folder.as}${sep}${name}`
}

function exhausted(path: string, evidence: ActionEvidence): FileProblem {
  const left = evidence.remainingBytes
  return refused(
    "evidence_exhausted",
    path,
    `${path} was not written: its content before and after does not fit into the ${left} bytes of evidence that are left.`,
  )
}

function written(path: string, before: string | null, bytes: Uint8Array): FileReplaced {
  return { status: "written", path, before, sha256: sha256Of(bytes), bytes: bytes.length }
}
