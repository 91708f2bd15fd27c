import { existsSync, realpathSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname } from "node:path"
import type { FoundConversation } from "./find.ts"
import { readPlaces } from "./places-file.ts"

/**
 * The temporary folder that a killed process left of a conversation, or null. Only a folder that a
 * conversation of ours can have had. Whoever removes it must know that nobody has the conversation.
 */
export function leftTemp({ places }: Pick<FoundConversation, "places">): string | null {
  const folder = readPlaces(places)?.temp
  if (folder === undefined || !/^harness-\w{6}$/.test(basename(folder))) return null
  if (dirname(folder) !== realpathSync(tmpdir()) || !existsSync(folder)) return null
  return folder
}
