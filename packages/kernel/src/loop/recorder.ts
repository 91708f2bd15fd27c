import type { ConversationEvent, EventBody, PassingBody } from "@harness/protocol"
import type { ConversationLog } from "@harness/sdk"

/** Writes what happens to the log and tells the faces, in this order. */
export interface Recorder {
  /**
   * Numbers, keeps and tells. `sync` waits for the disk: for what must be known after a crash.
   * Throws `log_unwritable`; then nobody was told.
   */
  record(body: EventBody, options?: { sync: boolean }): void
  /** Several events that follow each other, in one write. */
  recordAll(bodies: readonly EventBody[], options: { sync: boolean }): void
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

  function recordAll(bodies: readonly EventBody[], { sync }: { sync: boolean }): void {
    for (const event of options.log.append(bodies, { sync })) {
      lastSeq = event.seq
      options.tell(event)
    }
  }

  return {
    recordAll,
    record: (body, { sync } = { sync: false }) => recordAll([body], { sync }),
    pass(body) {
      options.tell({ after: lastSeq, ...body })
    },
  }
}
