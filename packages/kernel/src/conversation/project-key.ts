import { hash } from "node:crypto"
import { realpath } from "node:fs/promises"
import { join } from "node:path"
import { changeFolders, type Folders, readFolders } from "./folders.ts"
import { remoteOf } from "./remote.ts"

export type ProjectKey = {
  /** The name of the project's folder under `projects/`. */
  key: string
  /** Keys under which older conversations of the same project lie. */
  aliases: string[]
}

/**
 * The key of a folder. With a git remote it follows from its URL, so that a clone or a renamed
 * folder finds the same conversations. Without one it is a random id that `folders.json` keeps for
 * the folder's real path; when a remote appears later, that id becomes an alias of the new key.
 * `home` must exist. Throws `folders_invalid`.
 *
 * @example
 * await projectKey("/home/jo/shop", { home, ids }) // { key: "github.com-jo-shop-1f3a…", aliases: [] }
 */
export async function projectKey(
  folder: string,
  { home, ids }: { home: string; ids: () => string },
): Promise<ProjectKey> {
  const file = join(home, "folders.json")
  const path = await realpath(folder)
  const remote = remoteOf(path)
  const folders = await readFolders(file)
  const known = folders.keys[path]

  if (remote !== null) {
    const key = keyOfRemote(remote)
    const isNew = known !== undefined && folders.aliases[known] !== key
    return named(key, isNew ? await changeFolders(file, withAlias(known, key)) : folders)
  }
  if (known !== undefined) return named(folders.aliases[known] ?? known, folders)

  const id = `folder-${ids()}`
  const changed = await changeFolders(file, withKey(path, id))
  return named(changed.keys[path] ?? id, changed)
}

/**
 * Every key under which conversations of a folder's project can lie. Nothing is written: a folder that
 * has none gets none. Throws `folders_invalid`.
 */
export async function keysOf(folder: string, home: string): Promise<string[]> {
  const path = await realpath(folder)
  const remote = remoteOf(path)
  const folders = await readFolders(join(home, "folders.json"))
  const known = folders.keys[path]
  const own = known === undefined ? [] : [known, folders.aliases[known] ?? known]
  const keys = remote === null ? own : [keyOfRemote(remote), ...own]
  return [...new Set(keys.flatMap(key => [key, ...named(key, folders).aliases]))]
}

/** What is readable of a remote, for whoever looks into the folder, and a hash that tells it apart. */
export function keyOfRemote(remote: string): string {
  const readable = remote
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[.-]+/, "")
    .slice(0, readableCharacters)
  return `${readable || "remote"}-${hash("sha256", remote).slice(0, 12)}`
}

const readableCharacters = 80

function named(key: string, { aliases }: Folders): ProjectKey {
  const older = Object.entries(aliases).flatMap(([alias, of]) => (of === key ? [alias] : []))
  return { key, aliases: older }
}

function withKey(path: string, id: string) {
  return (folders: Folders): Folders =>
    folders.keys[path] === undefined
      ? { ...folders, keys: { ...folders.keys, [path]: id } }
      : folders
}

function withAlias(alias: string, key: string) {
  return (folders: Folders): Folders => ({
    ...folders,
    aliases: { ...folders.aliases, [alias]: key },
  })
}
