import { existsSync, readFileSync, realpathSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"

/** A git repository, found without git. */
export type Repository = {
  /** The work tree's root. */
  workTree: string
  /** What belongs to this work tree: HEAD, index. */
  gitFolder: string
  /** What all work trees share: config, refs, objects. */
  commonFolder: string
}

/**
 * The repository that a folder lies in: the nearest `.git` at it or above it, as git looks for one.
 * A `.git` file (work tree, submodule) is followed. Null when there is none.
 */
export function findRepository(folder: string): Repository | null {
  for (let at = realpathSync(folder); ; at = dirname(at)) {
    const repository = repositoryAt(at)
    if (repository !== null) return repository
    if (at === dirname(at)) return null
  }
}

/** The text of a file, or null when it cannot be read. */
export function textOf(file: string): string | null {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return null
  }
}

function repositoryAt(workTree: string): Repository | null {
  const place = join(workTree, ".git")
  const found = statSync(place, { throwIfNoEntry: false })
  if (found === undefined) return null

  const gitFolder = found.isDirectory() ? place : followed(place, workTree)
  if (gitFolder === null || !existsSync(join(gitFolder, "HEAD"))) return null
  const common = textOf(join(gitFolder, "commondir"))?.trim()
  return { workTree, gitFolder, commonFolder: common ? resolve(gitFolder, common) : gitFolder }
}

function followed(file: string, workTree: string): string | null {
  const target = /^gitdir: (.+)$/m.exec(textOf(file) ?? "")?.[1]
  return target === undefined ? null : resolve(workTree, target.trim())
}
