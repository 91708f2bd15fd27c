import { failure } from "@harness/protocol"
import type { FoundConversation } from "../conversation/find.ts"
import { readPlaces } from "../conversation/places-file.ts"
import { usableFolder } from "../folder.ts"

/**
 * The folder that a conversation worked in, by its real path: the one that is named, else where it
 * was on this machine. Throws `conversation_folder_unknown`, and what {@link usableFolder} throws.
 */
export async function folderOf(
  { id, places }: FoundConversation,
  named: string | undefined,
): Promise<string> {
  if (named !== undefined) return usableFolder(named)

  const root = readPlaces(places)?.root
  const unknown = (reason: string) =>
    failure("conversation_folder_unknown", { conversation: id, reason })
  if (root === undefined) throw unknown("it was not begun on this machine")
  const folder = await usableFolder(root).catch(() => null)
  // Another folder that a link at the old place leads to is not the one.
  if (folder !== root) throw unknown(`${root} is not there any more`)
  return root
}
