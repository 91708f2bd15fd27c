import { realpathSync } from "node:fs"
import { homedir } from "node:os"
import type { DurableEvent, EventBody } from "@harness/protocol"
import type { ConversationLog, EvidenceStore } from "@harness/sdk"
import { ensureHome } from "./config/home.ts"
import { openFileLog } from "./conversation/file-log.ts"
import { readHead } from "./conversation/head.ts"
import {
  type ConversationPlaces,
  conversationPlaces,
  makeConversationFolder,
} from "./conversation/layout.ts"
import { lockConversation } from "./conversation/lock.ts"
import { keepPlaces } from "./conversation/places-file.ts"
import { projectKey } from "./conversation/project-key.ts"
import { openFileEvidence } from "./evidence/file-store.ts"

/** Where a conversation works and where it keeps its state; all paths real and absolute. */
export type Place = ConversationPlaces & { id: string; root: string; temp: string }

/** The durable state of an open conversation. */
export type State = {
  log: ConversationLog
  evidence: EvidenceStore
  repository: Extract<DurableEvent, { type: "conversation_started" }>["repository"]
  /** What must be put on record first. */
  notices: readonly EventBody[]
  close: () => Promise<void>
}

/** Finds the place of a new conversation. Makes HARNESS_HOME and remembers the folder's key. */
export async function placeFor(
  id: string,
  { root, temp, home, ids }: { root: string; temp: string; home: string; ids: () => string },
): Promise<Place> {
  await ensureHome(home)
  const { key } = await projectKey(root, { home, ids })
  return { id, root, temp, ...conversationPlaces(home, { key, conversation: id }) }
}

/** Makes the conversation's folder, takes its lock and begins its log. */
export function beginState(place: Place, { clock }: { clock: () => number }): State {
  makeConversationFolder(place)
  const lock = lockConversation({ folder: place.folder, conversation: place.id })
  try {
    const places = { root: place.root, home: realpathSync(homedir()), temp: place.temp }
    keepPlaces(place.places, places)
    const { log, notices } = openFileLog({
      file: place.log,
      conversation: place.id,
      lock,
      places,
      now: clock,
    })
    return {
      log,
      notices,
      evidence: openFileEvidence({ folder: place.evidence }),
      repository: readHead(place.root),
      async close() {
        await log.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}
