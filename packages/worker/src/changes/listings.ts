import { readdirSync, type Stats } from "node:fs"
import { isSettled } from "./snapshot.ts"

/** A name in a folder; what is no folder is a file, a link or something else. */
export type Entry = { name: string; isFolder: boolean }

/** What folders hold, by name: one that has not changed since is not read again. */
export interface Listings {
  /** `stats` are of the folder, taken right before. */
  of(folder: string, absolute: string, stats: Stats): readonly Entry[]
  /** Forgets the others. */
  keepOnly(folders: ReadonlyMap<string, unknown>): void
}

type Known = Pick<Stats, "ino" | "mtimeMs" | "ctimeMs"> & { entries: readonly Entry[] }

export function rememberedListings(): Listings {
  const known = new Map<string, Known>()

  return {
    of(folder, absolute, stats) {
      const found = known.get(folder)
      if (found !== undefined && isUnchanged(found, stats)) return found.entries

      const readAtMs = Date.now()
      const entries = entriesOf(absolute)
      const { ino, mtimeMs, ctimeMs } = stats
      if (isSettled({ changedMs: ctimeMs }, readAtMs)) {
        known.set(folder, { ino, mtimeMs, ctimeMs, entries })
      } else {
        known.delete(folder)
      }
      return entries
    },

    keepOnly(folders) {
      for (const folder of known.keys()) if (!folders.has(folder)) known.delete(folder)
    },
  }
}

function isUnchanged(known: Known, { ino, mtimeMs, ctimeMs }: Stats): boolean {
  return known.ctimeMs === ctimeMs && known.mtimeMs === mtimeMs && known.ino === ino
}

/** A folder that may not be read, or went away, holds nothing for us. */
function entriesOf(absolute: string): Entry[] {
  try {
    return readdirSync(absolute, { withFileTypes: true }).map(entry => ({
      name: entry.name,
      isFolder: entry.isDirectory(),
    }))
  } catch {
    return []
  }
}
