import { realpathSync } from "node:fs"
import { homedir } from "node:os"
import type { DurableEvent, EventBody, Repository } from "@harness/protocol"
import type { ConversationLog, EvidenceStore } from "@harness/sdk"
import { ensureHome } from "./config/home.ts"
import { openFileLog } from "./conversation/file-log.ts"
import { readHead } from "./conversation/head.ts"
import {
  type ConversationPlaces,
  conversationPlaces,
  makeConversationFolder,
} from "./conversation/layout.ts"
import { type ConversationLock, lockConversation } from "./conversation/lock.ts"
import type { Places } from "./conversation/placeholders.ts"
import { keepPlaces, movePlaces } from "./conversation/places-file.ts"
import { projectKey } from "./conversation/project-key.ts"
import { openFileEvidence } from "./evidence/file-store.ts"
import { completeIndex } from "./evidence/index-file.ts"

/** Where a conversation works and where it keeps its state; all paths real and absolute. */
export type Place = ConversationPlaces & { id: string; root: string; temp: string }

/** The durable state of an open conversation. */
export type State = {
  log: ConversationLog
  evidence: EvidenceStore
  repository: Repository | null
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
    const opened = openFileLog({
      file: place.log,
      conversation: place.id,
      lock,
      places,
      now: clock,
    })
    return stateOf(place, { lock, root: place.root, redacted: [], ...opened })
  } catch (error) {
    lock.release()
    throw error
  }
}

/**
 * Opens the state of a conversation that exists and whose lock is held. What the opening found, and
 * the ends of what was lost, are on record first, in one write; `appended` are these records. Throws
 * `log_damaged`, `log_unwritable`.
 */
export function resumeState(
  place: ConversationPlaces & { id: string },
  options: {
    lock: ConversationLock
    places: Places
    redacted: readonly string[]
    events: readonly DurableEvent[]
    endings: readonly EventBody[]
    clock: () => number
  },
): { state: State; appended: DurableEvent[] } {
  const { lock, places, events, endings, redacted } = options
  const opened = openFileLog({
    file: place.log,
    conversation: place.id,
    lock,
    places,
    now: options.clock,
  })
  try {
    movePlaces(place.places, places, opened.log.head().seq)
    const appended = opened.log.append([...opened.notices, ...endings], { sync: true })
    completeIndex(place.evidence, [...events, ...appended])
    const state = stateOf(place, { lock, root: places.root, redacted, ...opened, notices: [] })
    return { state, appended }
  } catch (error) {
    void opened.log.close()
    throw error
  }
}

function stateOf(
  place: ConversationPlaces,
  parts: {
    log: ConversationLog
    notices: readonly EventBody[]
    lock: ConversationLock
    root: string
    redacted: readonly string[]
  },
): State {
  const { log, notices, lock, root, redacted } = parts
  return {
    log,
    notices,
    evidence: openFileEvidence({ folder: place.evidence, redacted: new Set(redacted) }),
    repository: readHead(root),
    async close() {
      await log.close()
      lock.release()
    },
  }
}
