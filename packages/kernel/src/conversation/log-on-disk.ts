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
  const walk = walkLog(conversation)
  const { log } = conversation
  if (walk.status === "damaged") {
    throw failure("log_damaged", { file: log, record: walk.record, reason: walk.reason })
  }
  const placeholders = places ? placeholdersAt(places) : placeholdersOf(conversation)
  return eventsOf(walk.contents, { file: log, placeholders })
}

/** Texts are given back as they were where each record was written; elsewhere as placeholders. */
export function placeholdersOf(conversation: FoundConversation): PlaceholdersAt {
  return placeholdersAt(placesOf(conversation))
}

export function placesOf({ places }: FoundConversation): KeptPlaces {
  return readPlaces(places) ?? { root: "{root}", home: homedir(), temp: "{temp}" }
}
