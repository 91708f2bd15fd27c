import { realpathSync } from "node:fs"
import { type GitLook, gitOf } from "../changes/git.ts"
import { ignoredFolders } from "../changes/ignored.ts"
import { type Entry, rememberedListings } from "../changes/listings.ts"
import { slices } from "../changes/slices.ts"
import { absoluteOf, statOf, statsOf } from "../changes/snapshot.ts"
import type { Root } from "../files/walk.ts"
import { bestOf, type RankedPath, rankedPath } from "./rank.ts"

/** The files of a project by their paths: for a person who types one. */
export interface ProjectPaths {
  /** Those whose path holds the letters in their order, best first. Never rejects. */
  find(letters: string, limit: number): Promise<string[]>
}

export type ProjectPathsOptions = {
  root: Root
  /** Absolute folders that belong to harness, wherever they lie. */
  skip: readonly string[]
}

/** What is typed in a moment is answered from one look. */
const FRESH_MS = 3_000

/** A larger tree is named in part: what is near the root first. */
const LOOK = { entries: 200_000, milliseconds: 3_000 }

/**
 * What git would list: tracked files, and others that no `.gitignore` leaves out. git itself is not
 * run: its configuration is the project's.
 */
export function projectPaths({ root, skip }: ProjectPathsOptions): ProjectPaths {
  const git = gitOf(root)
  let look: GitLook = git.none
  const ignoring = ignoredFolders(root, path => look.hasFolder(path) || look.tracks(path))
  const listings = rememberedListings()
  const skipped = new Set(skip.map(realPathOf))
  let seen: { atMs: number; paths: Promise<readonly RankedPath[]> } | undefined

  async function walk(): Promise<readonly RankedPath[]> {
    look = await git.look().catch(() => git.none)
    const endsAtMs = performance.now() + LOOK.milliseconds
    const turns = slices()
    const device = statsOf(root.path)?.dev
    const paths: RankedPath[] = []
    const visited = new Map<string, true>()
    // Grows while it is walked: what is near the root is seen first.
    const folders = [""]
    let entries = 0

    for (const folder of folders) {
      const absolute = absoluteOf(root.path, folder)
      const stats = statsOf(absolute)
      if (stats === undefined || stats.dev !== device || !stats.isDirectory()) continue
      const held = listings.of(folder, absolute, stats)
      visited.set(folder, true)
      await readRules(folder, held)
      for (const { name, isFolder } of held) {
        entries += 1
        if (entries % 64 === 0 && turns.due()) await turns.next()
        if (entries > LOOK.entries || performance.now() > endsAtMs) return paths
        const path = folder === "" ? name : `${folder}/${name}`
        if (isFolder ? isLeftOut(path, name) : ignoring.ignores(path)) continue
        if (isFolder) folders.push(path)
        else paths.push(rankedPath(path))
      }
    }
    listings.keepOnly(visited)
    return paths
  }

  function isLeftOut(path: string, name: string): boolean {
    if (name === ".git" || skipped.has(absoluteOf(root.path, path))) return true
    return ignoring.ignores(path) || (name === "node_modules" && !look.hasFolder(path))
  }

  async function readRules(folder: string, entries: readonly Entry[]): Promise<void> {
    const isThere = entries.some(({ name }) => name === ".gitignore")
    const path = folder === "" ? ".gitignore" : `${folder}/.gitignore`
    const rules = isThere ? statOf(absoluteOf(root.path, path)) : undefined
    await ignoring.enter(folder, rules?.type === "file" ? rules : undefined)
  }

  return {
    async find(letters, limit) {
      const nowMs = performance.now()
      if (seen === undefined || nowMs - seen.atMs > FRESH_MS) {
        seen = { atMs: nowMs, paths: walk().catch(() => []) }
      }
      return bestOf(await seen.paths, letters, limit)
    },
  }
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // It is not there yet, or never will be.
    return path
  }
}
