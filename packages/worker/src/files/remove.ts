import { unlinkSync } from "node:fs"
import type { Expected, FileProblem, FileRemoved } from "@harness/sdk"
import type { ActionEvidence } from "../evidence/action-evidence.ts"
import { type Guarded, openToRead, type Pass, passOver } from "./content.ts"
import { syncFolder } from "./draft.ts"
import { untilHeld } from "./exchanged.ts"
import { fromSystem, notAFile, refused } from "./problems.ts"
import { foundNow, refusalNow, within } from "./replacement.ts"
import type { Step } from "./steps.ts"
import { type Place, shown, walk } from "./walk.ts"

export type Removal = Guarded & { evidence: ActionEvidence; path: string; expected: Expected }

/**
 * Removes a file whose content is the expected one. It is compared before and again right before the
 * name goes.
 */
export async function remove(removal: Removal): Promise<FileRemoved | FileProblem> {
  try {
    return await untilHeld(() => removeAt(removal))
  } catch (error) {
    return fromSystem(error, removal.path, "unwritable")
  }
}

async function removeAt(removal: Removal): Promise<FileRemoved | FileProblem> {
  const { root, guard, path } = removal
  const place = walk(root, path)
  if (place.status === "refused") return place
  try {
    const { folder } = place
    const real = shown([...place.names, ...place.rest])
    if (place.rest.length > 0) return { status: "conflict", path: real, found: null }
    // A name of its own that is a link: what it leads to is not what was meant.
    if (folder === undefined || real !== path) return notAFile(path)

    const refusal = guard.refusalToWrite(real, path)
    return refusal ?? (await unlink(removal, place, folder))
  } finally {
    place.close()
  }
}

async function unlink(
  removal: Removal,
  place: Place,
  folder: Step,
): Promise<FileRemoved | FileProblem> {
  const { evidence, path, expected } = removal
  const name = place.names.at(-1) ?? ""
  const file = openToRead(removal, place.step, path)
  if (file.status === "refused") return file
  let before: Pass
  try {
    before = await passOver(file, { offset: 0, limitBytes: evidence.remainingBytes })
  } finally {
    file.close()
  }
  if (before.sha256 !== expected) return { status: "conflict", path, found: before.sha256 }
  if (!keepBefore(removal, before)) return exhausted(removal)

  const now = await foundNow(removal, { folder, name, real: path })
  if (now.status !== "conflict" || now.found !== expected) return now
  const refusal = refusalNow(removal, folder, name)
  if (refusal !== undefined) return refusal
  unlinkSync(within(folder, name))
  syncFolder(folder)
  return { status: "removed", path, before: before.sha256 }
}

/** Of a secret file the hash alone. False when the grant does not hold the content. */
function keepBefore({ guard, evidence, path }: Removal, { bytes, size, sha256 }: Pass): boolean {
  if (guard.isSecret(path)) {
    evidence.withhold([{ role: "before", sha256, bytes: size, path }])
    return true
  }
  return bytes.length === size && evidence.keep([{ role: "before", bytes, path }]) !== null
}

function exhausted({ path, evidence }: Removal): FileProblem {
  const left = evidence.remainingBytes
  return refused(
    "evidence_exhausted",
    path,
    `${path} was not removed: its content does not fit into the ${left} bytes of evidence that are left.`,
  )
}
