import { readFileSync } from "node:fs"
import { homedir } from "node:os"
import type { DurableEvent } from "@harness/protocol"
import { failure } from "@harness/protocol"
import { inWords } from "../config/errno.ts"
import { type Walk, walkChain } from "./chain.ts"
import type { FoundConversation } from "./find.ts"
import type { Places } from "./placeholders.ts"
import { type KeptPlaces, type PlaceholdersAt, placeholdersAt, readPlaces } from "./places-file.ts"
import { eventsOf } from "./records.ts"

/** A log as it lies there, read without its lock. Throws `log_unreadable`. */
export function walkLog({ id, log }: FoundConversation): Walk {
  try {
    return walkChain(readFileSync(log), id)
  } catch (error) {
    throw failure("log_unreadable", { file: log, reason: inWords(error) }, { cause: error })
  }
}

/**
 * The events of a log, whoever has it open, with the folders that it was written in or with those
 * that are named. Throws `log_damaged`, `log_unreadable`.
 */
export function readEvents(conversation: FoundConversation, places?: Places): DurableEvent[] {
  const placeholders = places ? placeholdersAt(places) : placeholdersOf(conversation)
  return eventsOf(readContents(conversation), { file: conversation.log, placeholders })
}

/**
 * The records of a log as they are stored, each without its hash, whoever has it open. Throws
 * `log_damaged`, `log_unreadable`.
 */
export function readContents(conversation: FoundConversation): string[] {
  const walk = walkLog(conversation)
  if (walk.status === "holds") return walk.contents
  const { record, reason } = walk
  throw failure("log_damaged", { file: conversation.log, record, reason })
}

/** Texts are given back as they were where each record was written; elsewhere as placeholders. */
export function placeholdersOf(conversation: FoundConversation): PlaceholdersAt {
  return placeholdersAt(placesOf(conversation))
}

export function placesOf({ places }: FoundConversation): KeptPlaces {
  return readPlaces(places) ?? { root: "{root}", home: homedir(), temp: "{temp}" }
}
