import { closeSync, linkSync, mkdirSync, openSync, renameSync, rmdirSync, rmSync } from "node:fs"
import type { FileProblem, FileReplaced } from "@harness/sdk"
import { codeOf } from "../thrown.ts"
import { elsewhere, sha256Of } from "./content.ts"
import { syncFolder } from "./draft.ts"
import {
  exhausted,
  foundNow,
  type Replacement,
  refusalNow,
  within,
  written,
} from "./replacement.ts"
import type { Step } from "./steps.ts"
import { type Place, type Root, shown } from "./walk.ts"

/** Creates a file where nothing is, with its folders; nothing is left of either when it fails. */
export async function create(
  replacement: Replacement,
  place: Place,
): Promise<FileReplaced | FileProblem> {
  const { root, staging, path, bytes, mode, expected } = replacement
  const real = shown([...place.names, ...place.rest])
  if (expected !== "absent") return { status: "conflict", path: real, found: null }

  const problem = elsewhere(root, place.step, path)
  if (problem !== undefined) return problem
  if (!keepNew(replacement, real)) return exhausted(replacement)

  const parents = makeFolders(root, place)
  let created = false
  try {
    const { folder } = parents
    const name = place.rest.at(-1) ?? ""
    return await staging.put(root, { folder, bytes, like: undefined, mode }, async draft => {
      const refusal = refusalNow(replacement, folder, name)
      if (refusal !== undefined) return refusal

      created = appear(draft, within(folder, name))
      if (!created) return await foundNow(replacement, { folder, name, real })
      syncFolder(folder)
      if (parents.made.length > 0) syncFolder(place.step)
      return written(real, null, bytes)
    })
  } finally {
    if (!created) parents.undo()
    parents.close()
  }
}

/** Of a secret file the hash alone. False when the grant does not hold the content. */
function keepNew({ guard, evidence, bytes }: Replacement, path: string): boolean {
  if (!guard.isSecret(path)) return evidence.keep([{ role: "after", bytes, path }]) !== null

  evidence.withhold([{ role: "after", sha256: sha256Of(bytes), bytes: bytes.length, path }])
  return true
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
function appear(draft: string, target: string): boolean {
  try {
    linkSync(draft, target)
    return true
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(codeOf(error))) throw error
  }
  return appearWithoutLinks(draft, target)
}

/** File systems without hard links: an empty file holds the name until the rename takes its place. */
function appearWithoutLinks(draft: string, target: string): boolean {
  try {
    closeSync(openSync(target, "wx"))
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false
    throw error
  }
  try {
    renameSync(draft, target)
    return true
  } catch (error) {
    rmSync(target, { force: true })
    throw error
  }
}
