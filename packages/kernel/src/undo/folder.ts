import { failure } from "@harness/protocol"
import type { FoundConversation } from "../conversation/find.ts"
import { readPlaces } from "../conversation/places-file.ts"
import { projectFolder } from "../folder.ts"

/**
 * The folder that a conversation worked in, by its real path: the one that is named, else where it
 * was on this machine. Throws `conversation_folder_unknown`, and what {@link projectFolder} throws.
 */
export async function folderOf(
  { id, places }: FoundConversation,
  { named, home }: { named: string | undefined; home: string },
): Promise<string> {
  if (named !== undefined) return projectFolder(named, home)

  const root = readPlaces(places)?.root
  const unknown = (reason: string) =>
    failure("conversation_folder_unknown", { conversation: id, reason })
  if (root === undefined) throw unknown("it was not begun on this machine")
  const folder = await projectFolder(root, home).catch(() => null)
  // Another folder that a link at the old place leads to is not the one.
  if (folder !== root) throw unknown(`${root} is not there any more`)
  return root
}
