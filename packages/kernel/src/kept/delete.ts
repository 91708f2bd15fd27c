import { renameSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { failure } from "@harness/protocol"
import { inWords } from "../config/errno.ts"
import type { FoundConversation } from "../conversation/find.ts"
import { leftTemp } from "../conversation/left-temp.ts"
import { lockConversation } from "../conversation/lock.ts"
import { syncFolder } from "../conversation/sync-folder.ts"
import { openIndex } from "../statistics/index-file.ts"
import { deletedFolder } from "./unfinished.ts"

/**
 * Removes a conversation with all that only it holds. In one step it is there no more; what a crash
 * kept from being removed then, `gc` removes. Throws `conversation_locked`, `log_unwritable`.
 */
export async function deleteConversation(
  conversation: FoundConversation,
  home: string,
): Promise<void> {
  const { id, key, folder, log } = conversation
  const lock = lockConversation({ folder, conversation: id })
  const temp = leftTemp(conversation)
  const aside = join(dirname(folder), deletedFolder(id))
  try {
    renameSync(folder, aside)
    syncFolder(dirname(folder))
  } catch (error) {
    lock.release()
    throw failure("log_unwritable", { file: log, reason: inWords(error) }, { cause: error })
  }

  for (const left of [aside, ...(temp === null ? [] : [temp])]) {
    try {
      rmSync(left, { recursive: true, force: true })
    } catch {
      // It is no conversation any more: `gc` tries again.
    }
  }
  const index = await openIndex(join(home, "index.db"))
  index?.save([], [{ project: key, conversation: id }])
  index?.close()
}
