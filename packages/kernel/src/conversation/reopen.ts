import type { DurableEvent } from "@harness/protocol"
import type { EvidenceStore } from "@harness/sdk"
import { redactionsOf } from "../audit/expected.ts"
import { openFileEvidence } from "../evidence/file-store.ts"
import { completeIndex } from "../evidence/index-file.ts"
import { createRecorder, type Recorder } from "../loop/recorder.ts"
import { openFileLog } from "./file-log.ts"
import type { FoundConversation } from "./find.ts"
import { lockConversation } from "./lock.ts"
import { placesOf } from "./log-on-disk.ts"

/** A conversation that was closed, while it is written to again. */
export type Reopened = {
  /** Every record up to now. */
  events: readonly DurableEvent[]
  /** Records that were there before this opening put on record what it found. */
  foundSeq: number
  recorder: Recorder
  evidence: EvidenceStore
}

/**
 * Takes a conversation's lock, lets `use` go on with its log, and closes it again. What the opening
 * found (a torn record, missing ones) is on record first. Throws `conversation_locked`,
 * `log_damaged`, `log_unwritable`.
 */
export async function reopenConversation<Result>(
  conversation: FoundConversation,
  { clock }: { clock: () => number },
  use: (reopened: Reopened) => Promise<Result>,
): Promise<Result> {
  const { id, folder } = conversation
  const lock = lockConversation({ folder, conversation: id })
  try {
    const { log, notices } = openFileLog({
      file: conversation.log,
      conversation: id,
      lock,
      places: placesOf(conversation),
      now: clock,
    })
    try {
      const foundSeq = log.head().seq
      log.append(notices, { sync: false })
      const events = await log.read()
      completeIndex(conversation.evidence, events)
      const evidence = openFileEvidence({
        folder: conversation.evidence,
        redacted: new Set(redactionsOf(events).keys()),
      })
      const recorder = createRecorder({ log, evidence, tell: () => {}, lastSeq: log.head().seq })
      return await use({ events, foundSeq, recorder, evidence })
    } finally {
      await log.close()
    }
  } finally {
    lock.release()
  }
}
