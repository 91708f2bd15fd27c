import { accessSync, constants, renameSync } from "node:fs"
import type { FileProblem, FileReplaced } from "@harness/sdk"
import { openToRead, type Pass, passOver, sha256Of } from "./content.ts"
import { create } from "./create.ts"
import { syncFolder } from "./draft.ts"
import { untilHeld } from "./exchanged.ts"
import { fromSystem, notAFile } from "./problems.ts"
import {
  exhausted,
  foundNow,
  type Replacement,
  refusalNow,
  within,
  written,
} from "./replacement.ts"
import type { Staging } from "./staging.ts"
import type { Step } from "./steps.ts"
import { type Place, shown, walk } from "./walk.ts"

/**
 * Replaces a file's content in one step, or creates the file with its folders. The content is
 * compared with `expected` before anything is written and again right before the rename.
 */
export async function replace(replacement: Replacement): Promise<FileReplaced | FileProblem> {
  try {
    return await untilHeld(() => replaceAt(replacement))
  } catch (error) {
    return fromSystem(error, replacement.path, "unwritable")
  }
}

/** Shared by all that replace files below one root. */
export interface Replacements {
  readonly staging: Staging
  /** Lets one run at a time, so that of two with the same `expected` one meets a conflict. */
  inTurn<Result>(run: () => Promise<Result>): Promise<Result>
}

export function replacementsInTurn(staging: Staging): Replacements {
  let last: Promise<unknown> = Promise.resolve()
  return {
    staging,
    inTurn(run) {
      const result = last.then(run)
      last = result.catch(() => undefined)
      return result
    },
  }
}

async function replaceAt(replacement: Replacement): Promise<FileReplaced | FileProblem> {
  const { root, guard, path } = replacement
  const place = walk(root, path)
  if (place.status === "refused") return place
  try {
    const { folder } = place
    if (folder === undefined) return notAFile(path)

    const refusal = guard.refusalToWrite(shown([...place.names, ...place.rest]), path)
    if (refusal !== undefined) return refusal
    if (place.rest.length > 0) return await create(replacement, place)
    return await exchange(replacement, place, folder)
  } finally {
    place.close()
  }
}

async function exchange(
  replacement: Replacement,
  place: Place,
  folder: Step,
): Promise<FileReplaced | FileProblem> {
  const { root, staging, evidence, path, bytes, mode, expected } = replacement
  const name = place.names.at(-1) ?? ""
  const file = openToRead(replacement, place.step, path)
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
  if (!keepBoth(replacement, real, before)) return exhausted(replacement)

  return await staging.put(root, { folder, bytes, like: file.stats, mode }, async draft => {
    const now = await foundNow(replacement, { folder, name, real })
    if (now.status !== "conflict" || now.found !== expected) return now

    const refusal = refusalNow(replacement, folder, name)
    if (refusal !== undefined) return refusal
    renameSync(draft, within(folder, name))
    syncFolder(folder)
    return written(real, before.sha256, bytes)
  })
}

/** Of a secret file the hashes alone. False when the grant does not hold both contents. */
function keepBoth({ guard, evidence, bytes }: Replacement, path: string, before: Pass): boolean {
  if (guard.isSecret(path)) {
    evidence.withhold([
      { role: "before", sha256: before.sha256, bytes: before.size, path },
      { role: "after", sha256: sha256Of(bytes), bytes: bytes.length, path },
    ])
    return true
  }

  if (before.bytes.length < before.size) return false
  const payloads = [
    { role: "before", bytes: before.bytes, path },
    { role: "after", bytes, path },
  ]
  return evidence.keep(payloads) !== null
}
