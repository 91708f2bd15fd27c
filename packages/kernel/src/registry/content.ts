import { createHash } from "node:crypto"
import { readdir, readFile, readlink } from "node:fs/promises"
import { join, relative, sep } from "node:path"

/**
 * The sha256 of everything installed below a folder: over the lines `<sha256>  <path>`, as sha256sum
 * prints them, sorted by path; a symbolic link counts as the text of its target. npm's own record of
 * the folder is left out, since it holds no code.
 */
export async function contentHash(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter(entry => !entry.isDirectory() && entry.name !== ".package-lock.json")
    .map(entry => ({ path: join(entry.parentPath, entry.name), link: entry.isSymbolicLink() }))

  const lines: string[] = []
  for (const { path, link } of files) {
    const bytes = link ? await readlink(path) : await readFile(path)
    lines.push(`${sha256(bytes)}  ${portable(relative(folder, path))}\n`)
  }
  return sha256(lines.sort(byPath).join(""))
}

/** The sha256 of some files by their paths, relative to the folder. */
export async function fileHashes(
  folder: string,
  files: readonly string[],
): Promise<Record<string, string>> {
  const hashed = files.map(async file => {
    const path = portable(relative(folder, file))
    return [path, sha256(await readFile(file))] as const
  })
  return Object.fromEntries(await Promise.all(hashed))
}

function sha256(bytes: string | Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex")
}

function portable(path: string): string {
  return path.split(sep).join("/")
}

function byPath(a: string, b: string): number {
  return a.slice(64) < b.slice(64) ? -1 : 1
}
