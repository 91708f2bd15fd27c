import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

/**
 * What a folder holds, by path relative to it: a text or bytes is a file, `{link}` a symbolic link
 * to that target, `null` an empty folder. Folders between are made.
 */
export type FolderContent = Readonly<Record<string, string | Uint8Array | { link: string } | null>>

export type TemporaryFolder = {
  /** Its real path. */
  path: string
  /** The path of something in it. */
  at(relativePath: string): string
  text(relativePath: string): Promise<string>
  /** Every file below it by relative path with `/`, sorted, with its text. */
  files(): Promise<Record<string, string>>
  write(content: FolderContent): Promise<void>
  remove(): Promise<void>
}

/**
 * Makes a folder under the system's temporary folder.
 *
 * @example
 * const folder = await temporaryFolder({ "src/a.js": "export {}\n", "latest": { link: "src" } })
 * onTestFinished(() => folder.remove())
 */
export async function temporaryFolder(content: FolderContent = {}): Promise<TemporaryFolder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), "harness-test-")))
  const at = (relativePath: string) => join(path, relativePath)

  const folder: TemporaryFolder = {
    path,
    at,
    text: relativePath => readFile(at(relativePath), "utf8"),
    files: () => filesBelow(path),
    write: async more => {
      for (const [relativePath, entry] of Object.entries(more)) await put(at(relativePath), entry)
    },
    remove: () => rm(path, { recursive: true, force: true }),
  }

  await folder.write(content)
  return folder
}

async function put(path: string, entry: FolderContent[string]): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  if (entry === null || entry === undefined) await mkdir(path, { recursive: true })
  else if (typeof entry === "string" || entry instanceof Uint8Array) await writeFile(path, entry)
  else await symlink(entry.link, path)
}

async function filesBelow(path: string): Promise<Record<string, string>> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()

  const files: Record<string, string> = {}
  for (const file of paths) {
    files[file.slice(path.length + 1).replaceAll("\\", "/")] = await readFile(file, "utf8")
  }
  return files
}
