import { mkdirSync, rmdirSync, rmSync } from "node:fs"
import { join, sep } from "node:path"
import { codeOf } from "../thrown.ts"
import { type Draft, draftName, writeDraft } from "./draft.ts"
import { type Exclusive, exclusiveIn } from "./exclusive.ts"
import { noteDraft, ownName, removeLeftovers } from "./leftovers.ts"
import type { Root } from "./walk.ts"

/**
 * Where new contents wait, complete and on the disk, for the one rename or link that puts them in
 * place: in HARNESS_HOME, so that a worker that is killed leaves nothing in the project. Where the
 * project is on another file system they wait beside their target, and a note in HARNESS_HOME lets
 * the next worker remove what was left.
 */
export interface Staging {
  /** For what compares a file and changes it: `put` gives the draft's path to `place` in it. */
  readonly exclusive: Exclusive
  /**
   * Writes the draft and gives its path to `place`. What is still there afterwards is thrown away.
   * When `place` throws EXDEV, it runs once more, with a path in the folder itself. Throws the
   * system's error.
   */
  put<Result>(root: Root, draft: Draft, place: (path: string) => Promise<Result>): Promise<Result>
  /** Ends with nothing left of its own. Never throws. */
  close(): void
}

/** `home` is HARNESS_HOME. What dead workers have left is removed on the way. */
export function stagingIn(home: string): Staging {
  const folder = join(home, "staging")
  const own = join(folder, ownName())
  /** Devices that a rename from HARNESS_HOME does not reach. */
  const apart = new Set<number>()
  const exclusive = exclusiveIn(home)
  removeLeftovers(folder)

  async function put<Result>(
    root: Root,
    draft: Draft,
    place: (path: string) => Promise<Result>,
  ): Promise<Result> {
    mkdirSync(own, { recursive: true, mode: 0o700 })
    const { dev } = draft.folder.stats
    if (apart.has(dev)) return await beside(root, draft, place)
    try {
      return await through(join(own, draftName()), draft, place)
    } catch (error) {
      if (codeOf(error) !== "EXDEV") throw error
      apart.add(dev)
      return await beside(root, draft, place)
    }
  }

  async function beside<Result>(
    root: Root,
    draft: Draft,
    place: (path: string) => Promise<Result>,
  ): Promise<Result> {
    const name = draftName()
    const real = root.steps.realPathOf(draft.folder) ?? root.path
    const removeNote = noteDraft(own, join(real, name))
    try {
      return await through(`${draft.folder.as}${sep}${name}`, draft, place)
    } finally {
      removeNote()
    }
  }

  async function through<Result>(
    path: string,
    draft: Draft,
    place: (path: string) => Promise<Result>,
  ): Promise<Result> {
    await writeDraft(path, draft)
    try {
      return await exclusive.run(() => place(path))
    } finally {
      rmSync(path, { force: true })
    }
  }

  return {
    exclusive,
    put,
    close() {
      rmSync(own, { recursive: true, force: true })
      removeEmpty(folder)
    },
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Other workers have theirs in it, or nothing was staged.
  }
}
