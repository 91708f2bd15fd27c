import { join } from "node:path"
import type { FoundConversation } from "../conversation/find.ts"
import { type Folders, readFolders } from "../conversation/folders.ts"
import { readPlaces } from "../conversation/places-file.ts"
import { keyOfRemote } from "../conversation/project-key.ts"
import { remoteOf } from "../conversation/remote.ts"

/**
 * How people know the projects of a home, by any key that a project has had: its git remote, else its
 * folder. A project of which this machine knows neither has the name of its key. Throws
 * `folders_invalid`.
 */
export async function projectNames(
  home: string,
  conversations: readonly FoundConversation[],
): Promise<(key: string) => string> {
  const folders = await readFolders(join(home, "folders.json"))
  const today = (key: string) => folders.aliases[key] ?? key
  const names = new Map<string, string>()

  for (const conversation of conversations) {
    const key = today(conversation.key)
    // Of a project whose folder is gone another conversation may know one that is still there.
    const name = names.get(key) ?? folderOf(key, folders) ?? remoteAt(conversation, key)
    if (name !== null) names.set(key, name)
  }
  return key => names.get(today(key)) ?? today(key)
}

function folderOf(key: string, { keys }: Folders): string | null {
  return Object.entries(keys).find(([, of]) => of === key)?.[0] ?? null
}

/** A remote is not kept: only the folder that a conversation worked in can tell it. */
function remoteAt({ places }: FoundConversation, key: string): string | null {
  const root = readPlaces(places)?.root
  return root === undefined ? null : remoteOfKey(root, key)
}

/** The remote of a folder, if it is there and the remote is the one that the key follows from. */
export function remoteOfKey(folder: string, key: string): string | null {
  try {
    const remote = remoteOf(folder)
    return remote !== null && keyOfRemote(remote) === key ? remote : null
  } catch {
    return null
  }
}
