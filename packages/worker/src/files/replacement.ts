import { sep } from "node:path"
import type { Expected, FileProblem, FileReplaced } from "@harness/sdk"
import type { ActionEvidence } from "../evidence/action-evidence.ts"
import { codeOf } from "../thrown.ts"
import { type Guarded, openToRead, passOver, sha256Of } from "./content.ts"
import { untilHeld } from "./exchanged.ts"
import { outsideRoot, refused } from "./problems.ts"
import type { Staging } from "./staging.ts"
import type { Step } from "./steps.ts"
import { namesNow, shown } from "./walk.ts"

/** What is to be written where, and what is there by the caller's belief. */
export type Replacement = Guarded & {
  staging: Staging
  evidence: ActionEvidence
  path: string
  bytes: Uint8Array
  /** Permission bits; undefined for those that the file has, or that a new one gets. */
  mode: number | undefined
  expected: Expected
}

/** A path of an action that may touch it. */
type Meant = Guarded & { path: string }

/**
 * What has the name now, as a conflict: `found` is null when nothing has, or no regular file. Refused
 * for a secret file that may not be read: its hash would tell of its content.
 */
export function foundNow(meant: Meant, place: NamedPlace): Promise<Conflict | FileProblem> {
  return untilHeld(() => found(meant, place))
}

type NamedPlace = { folder: Step; name: string; real: string }

async function found(
  { root, guard, path }: Meant,
  { folder, name, real }: NamedPlace,
): Promise<Conflict | FileProblem> {
  const nothing: Conflict = { status: "conflict", path: real, found: null }
  let step: Step
  try {
    step = root.steps.enter(folder, name)
  } catch (error) {
    if (codeOf(error) === "ENOENT") return nothing
    throw error
  }
  try {
    const file = openToRead({ root, guard }, step, path)
    if (file.status === "refused") return file.error === "secret_file" ? file : nothing
    try {
      const { sha256 } = await passOver(file, { offset: 0, limitBytes: 0 })
      return { ...nothing, found: sha256 }
    } finally {
      file.close()
    }
  } finally {
    step.close()
  }
}

type Conflict = Extract<FileReplaced, { status: "conflict" }>

/** The folder may have become another one's, or that of a control file, since the walk. */
export function refusalNow(
  { root, guard, path }: Meant,
  folder: Step,
  name: string,
): FileProblem | undefined {
  const names = namesNow(root, folder)
  return names === undefined
    ? outsideRoot(path)
    : guard.refusalToWrite(shown([...names, name]), path)
}

export function within(folder: Step, name: string): string {
  return `${folder.as}${sep}${name}`
}

export function exhausted({ path, evidence }: Replacement): FileProblem {
  const left = evidence.remainingBytes
  return refused(
    "evidence_exhausted",
    path,
    `${path} was not written: its content before and after does not fit into the ${left} bytes of evidence that are left.`,
  )
}

export function written(path: string, before: string | null, bytes: Uint8Array): FileReplaced {
  return { status: "written", path, before, sha256: sha256Of(bytes), bytes: bytes.length }
}
