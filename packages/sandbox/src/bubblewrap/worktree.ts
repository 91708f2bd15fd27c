import { dirname, join, resolve } from "node:path"
import { entryAt, isWithin, placeAt, textOf } from "../paths.ts"

/** The git folder of a root whose `.git` is a file. */
export type LinkedGit =
  /** A worktree: `common` is shared with the main checkout, `own` lies in it. */
  | { type: "worktree"; common: string; own: string }
  /** A submodule: the git folder is its alone. */
  | { type: "submodule"; folder: string }

/**
 * Where git keeps the history of a root whose `.git` is a file, if that place names this root by
 * itself. A command can write a `.git` file where there is none, and so name any folder; it cannot
 * write the answer to it outside the root.
 */
export function linkedGit(root: string): LinkedGit | undefined {
  const file = join(root, ".git")
  if (entryAt(file) !== "file") return undefined

  const named = /^gitdir: (.+)$/m.exec(textOf(file))?.[1]
  const folder = named === undefined ? undefined : placeAt(resolve(root, named))
  if (folder?.type !== "folder" || isWithin(root, folder.path)) return undefined

  return worktreeOf(file, folder.path) ?? submoduleOf(root, folder.path)
}

/** `gitdir` in the worktree's folder names the `.git` file. Only git's own layout counts. */
function worktreeOf(file: string, own: string): LinkedGit | undefined {
  const worktrees = dirname(own)
  const common = dirname(worktrees)
  if (worktrees !== join(common, "worktrees")) return undefined

  const back = textOf(join(own, "gitdir")).trim()
  if (back === "" || placeAt(resolve(own, back))?.path !== file) return undefined
  if (placeAt(resolve(own, textOf(join(own, "commondir")).trim()))?.path !== common)
    return undefined
  return isGitFolder(common) ? { type: "worktree", common, own } : undefined
}

/** `core.worktree` in the submodule's configuration names the root. */
function submoduleOf(root: string, folder: string): LinkedGit | undefined {
  const back = /^\s*worktree\s*=\s*"?([^"\n]+?)"?\s*$/m.exec(textOf(join(folder, "config")))?.[1]
  if (back === undefined || placeAt(resolve(folder, back))?.path !== root) return undefined
  return isGitFolder(folder) ? { type: "submodule", folder } : undefined
}

function isGitFolder(folder: string): boolean {
  return entryAt(join(folder, "HEAD")) === "file" && entryAt(join(folder, "objects")) === "folder"
}
