import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { failure } from "@harness/protocol"
import { inWords } from "../config/errno.ts"

/** Where a conversation keeps what it keeps; all paths absolute. */
export type ConversationPlaces = {
  folder: string
  log: string
  /** What the log's placeholders stand for on this machine (places-file.ts). */
  places: string
  artifacts: string
  /** Payloads by hash, and `index.jsonl`. */
  evidence: string
  /** `<id>/{output,receipt.json}`. */
  processes: string
  /** `<n>/{source,output}`. */
  programs: string
}

/** The places of a conversation under HARNESS_HOME. Nothing is made. */
export function conversationPlaces(
  home: string,
  { key, conversation }: { key: string; conversation: string },
): ConversationPlaces {
  const folder = join(home, "projects", key, conversation)
  const artifacts = join(folder, "artifacts")
  return {
    folder,
    log: join(folder, "log.jsonl"),
    places: join(folder, "places.json"),
    artifacts,
    evidence: join(artifacts, "evidence"),
    processes: join(artifacts, "processes"),
    programs: join(artifacts, "programs"),
  }
}

/** Makes the folder of a conversation, for its owner alone. Throws `log_unwritable`. */
export function makeConversationFolder({ folder, log, artifacts }: ConversationPlaces): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    mkdirSync(artifacts, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw failure("log_unwritable", { file: log, reason: inWords(error) }, { cause: error })
  }
}
