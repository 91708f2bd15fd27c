import { join } from "node:path"
import type { SandboxPolicy } from "../provider.ts"
import { controlsIn, controlsOfGit, realBelow, worktreeControls } from "./controls.ts"
import { linkedGit } from "./worktree.ts"

export type WrittenPlaces = { writable: string[]; readonly: string[] }

/**
 * Where a command may write, and what it may not write there. pnpm's folder is among that: its files
 * are hard links into the store of all projects.
 */
export function writtenPlaces(policy: SandboxPolicy): WrittenPlaces {
  const { root, temp, controlled = [] } = policy
  const packages = join(root, "node_modules", ".pnpm")
  const git = gitPlaces(root)
  return {
    writable: [root, temp, ...git.writable],
    readonly: [...controlsIn(root), ...realBelow([packages, ...controlled], root), ...git.readonly],
  }
}

/** The git folder outside the root that a worktree or submodule writes its history to. */
function gitPlaces(root: string): WrittenPlaces {
  const git = linkedGit(root)
  if (git === undefined) return { writable: [], readonly: [] }
  if (git.type === "submodule") {
    return { writable: [git.folder], readonly: controlsOfGit(git.folder) }
  }

  const { common, own } = git
  return {
    writable: [common, own],
    readonly: [
      ...controlsOfGit(common),
      join(common, "worktrees"),
      ...realBelow(worktreeControls(own), own),
    ],
  }
}
