import { join } from "node:path"
import { entryAt } from "../paths.ts"
import type { SandboxPolicy } from "../provider.ts"
import { controlsIn, controlsOfGit, realBelow, worktreeControls } from "./controls.ts"
import { linkedGit } from "./worktree.ts"

export type WrittenPlaces = {
  writable: string[]
  readonly: string[]
  /** Folders of hooks that repositories lack: a command could make them. */
  sealed: string[]
}

/**
 * Where a command may write, and what it may not write there. pnpm's folder is among that: its files
 * are hard links into the store of all projects. A repository without a folder of hooks gets an
 * empty one, as git would have made: only what is there can be held read-only.
 */
export function writtenPlaces(policy: SandboxPolicy): WrittenPlaces {
  const { root, temp, controlled = [] } = policy
  const packages = join(root, "node_modules", ".pnpm")
  const git = gitPlaces(root)
  return {
    writable: [root, temp, ...git.writable],
    readonly: [...controlsIn(root), ...realBelow([packages, ...controlled], root), ...git.readonly],
    sealed: [...missingHooks(join(root, ".git")), ...git.sealed],
  }
}

/** The git folder outside the root that a worktree or submodule writes its history to. */
function gitPlaces(root: string): WrittenPlaces {
  const git = linkedGit(root)
  if (git === undefined) return { writable: [], readonly: [], sealed: [] }
  if (git.type === "submodule") {
    const { folder } = git
    return { writable: [folder], readonly: controlsOfGit(folder), sealed: missingHooks(folder) }
  }

  const { common, own } = git
  return {
    writable: [common, own],
    readonly: [
      ...controlsOfGit(common),
      join(common, "worktrees"),
      ...realBelow(worktreeControls(own), own),
    ],
    sealed: missingHooks(common),
  }
}

function missingHooks(git: string): string[] {
  const hooks = join(git, "hooks")
  const isRepository = entryAt(git) === "folder" && entryAt(join(git, "HEAD")) === "file"
  return isRepository && entryAt(hooks) === undefined ? [hooks] : []
}
