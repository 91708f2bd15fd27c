import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { openFileLog } from "../../../src/conversation/file-log.ts"
import { type ConversationLock, lockConversation } from "../../../src/conversation/lock.ts"
import type { Places } from "../../../src/conversation/placeholders.ts"
import { type ProcessTable, processTable } from "../../../src/conversation/process-table.ts"

export const at = "2026-01-02T03:04:05.000Z"

export type TestLogOptions = {
  conversation?: string
  places?: Places
  processes?: ProcessTable
  /** One that is held already, and stays so. */
  lock?: ConversationLock
}

/** Locks a conversation's folder and opens its log; `release` closes and unlocks. */
export function openLog(folder: string, options: TestLogOptions = {}) {
  const conversation = options.conversation ?? "c0ffee000001"
  const places = options.places ?? { root: "/srv/shop", home: "/home/jo", temp: "/tmp/h1" }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = options.lock ?? lockConversation({ folder, conversation }, options.processes)
  try {
    const file = join(folder, "log.jsonl")
    const opened = openFileLog({ file, conversation, lock, places, now: () => Date.parse(at) })
    const release = async () => {
      await opened.log.close()
      if (options.lock === undefined) lock.release()
    }
    return { ...opened, file, release }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** The live table, in which every process is gone: who opens takes over. */
export function emptyTable(): ProcessTable {
  return { ...processTable(), startOf: () => null }
}
