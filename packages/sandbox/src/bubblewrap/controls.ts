import { join } from "node:path"
import { controlFiles } from "@harness/protocol"
import { entryAt, isBelow, namesIn, placeAt } from "../paths.ts"

/** A submodule's name may hold slashes, so its git folder may lie this deep. */
const DEPTH = 8

/** More than these a project does not have; a command may make any number to slow us down. */
const MODULES = 200
const WORKTREES = 200

/**
 * The real paths of the control files that exist at the top of a folder and in its git folder;
 * what a link leads out to is none of them, for it cannot be written anyway. A few dozen looks, no
 * walk: what lies deeper is handed over by the caller, who has walked.
 */
export function controlsIn(root: string): string[] {
  const atTop = controlFiles.filter(pattern => !pattern.startsWith(".git/"))
  const git = join(root, ".git")
  const paths = [
    ...atTop.map(pattern => join(root, withoutStars(pattern))),
    ...(entryAt(git) === "file" ? [git] : gitControls(git)),
  ]
  return realBelow(paths, root)
}

/** The same of a git folder, wherever it lies. */
export function controlsOfGit(folder: string): string[] {
  return realBelow(gitControls(folder), folder)
}

/** Those of the paths that exist and do not lead out of the folder, with links resolved. */
export function realBelow(paths: readonly string[], folder: string): string[] {
  return paths.flatMap(path => {
    const place = placeAt(path)
    return place && isBelow(place.path, folder) ? [place.path] : []
  })
}

/** As written, whether they exist or not. */
function gitControls(folder: string): string[] {
  const modules = moduleFolders(join(folder, "modules"), DEPTH).slice(0, MODULES)
  return [folder, ...modules].flatMap(git => {
    const worktrees = foldersIn(join(git, "worktrees")).slice(0, WORKTREES)
    return [...gitPatterns().map(path => join(git, path)), ...worktrees.flatMap(worktreeControls)]
  })
}

/** The patterns of a git folder, below it; those of submodules and worktrees are the same again. */
function gitPatterns(): string[] {
  return controlFiles
    .filter(pattern => pattern.startsWith(".git/") && !pattern.includes("/**/"))
    .map(pattern => withoutStars(pattern.slice(".git/".length)))
}

/** A pattern for all that a folder holds stands for the folder. */
function withoutStars(pattern: string): string {
  return pattern.replace(/\/\*\*$/, "")
}

/** What says where a worktree's configuration and hooks are. */
export function worktreeControls(folder: string): string[] {
  return ["commondir", "gitdir", "config.worktree"].map(name => join(folder, name))
}

/** The git folders of submodules, and of theirs: the folders with a HEAD. */
function moduleFolders(folder: string, depth: number): string[] {
  if (depth === 0) return []
  return foldersIn(folder).flatMap(path =>
    entryAt(join(path, "HEAD"))
      ? [path, ...moduleFolders(join(path, "modules"), depth - 1)]
      : moduleFolders(path, depth - 1),
  )
}

/** Links are not followed: they could lead in circles. */
function foldersIn(folder: string): string[] {
  if (entryAt(folder) !== "folder") return []
  return namesIn(folder)
    .map(name => join(folder, name))
    .filter(path => entryAt(path) === "folder")
}
