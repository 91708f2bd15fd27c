import { readdirSync, rmdirSync } from "node:fs"
import { join } from "node:path"

/** Removes the folders below one that hold nothing but such folders; the one itself stays. */
export function removeEmptyFolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    const below = join(folder, entry.name)
    removeEmptyFolders(below)
    if (readdirSync(below).length === 0) rmdirSync(below)
  }
}
