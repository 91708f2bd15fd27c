import type { ConversationEvent, DurableEvent, EventBody, PassingBody } from "@harness/protocol"
import type { ConversationLog } from "@harness/sdk"

/** Writes what happens to the log and tells the faces, in this order. */
export interface Recorder {
  /**
   * Numbers, keeps and tells. `sync` waits for the disk: for what must be known after a crash.
   * Throws `log_unwritable`; then nobody was told.
   */
  record(body: EventBody, options?: { sync: boolean }): DurableEvent
  /** Tells what passes and is not kept. */
  pass(body: PassingBody): void
}

export function createRecorder(options: {
  log: ConversationLog
  tell: (event: ConversationEvent) => void
  /** The number of the last event that the log already holds. */
  lastSeq: number
}): Recorder {
  let lastSeq = options.lastSeq
  return {
    record(body, { sync } = { sync: false }) {
      const [event] = options.log.append([body], { sync })
      if (event === undefined) throw new Error("the log took an event and gave none back")
      lastSeq = event.seq
      options.tell(event)
      return event
    },
    pass(body) {
      options.tell({ after: lastSeq, ...body })
    },
  }
}
