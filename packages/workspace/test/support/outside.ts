import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** A text that lies outside of the root alone: no result may hold it. */
export const CANARY = "canary-5c9e1f outside"

/** Folders and files beside the root, each with the canary in it. */
export function makeOutside(folder: string): void {
  const files = ["secret", "file", "a/file", "sub/deep/file", ".git/hooks/pre-commit", ".env"]
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), `${CANARY} ${file}\n`)
  }
}

/** Every entry below a folder with its content, byte for byte. */
export function snapshotOf(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    entries.map(entry => {
      const place = join(entry.parentPath, entry.name)
      if (entry.isSymbolicLink()) return [place, `link ${readlinkSync(place)}`]
      return [place, entry.isFile() ? readFileSync(place, "base64") : "folder"]
    }),
  )
}
