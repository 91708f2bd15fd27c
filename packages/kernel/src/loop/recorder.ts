import type { ConversationEvent, EventBody, PassingBody } from "@harness/protocol"
import type { ConversationLog, EvidenceStore } from "@harness/sdk"
import { relationsOf } from "../evidence/index-lines.ts"

/** Writes what happens to the log, tells the faces, and keeps the index of evidence, in this order. */
export interface Recorder {
  /**
   * Numbers, keeps and tells. `sync` waits for the disk: for what must be known after a crash.
   * Throws `log_unwritable`: of the log, then nobody was told; or of the index, which is made up later.
   */
  record(body: EventBody, options?: { sync: boolean }): void
  /** Several events that follow each other, in one write. */
  recordAll(bodies: readonly EventBody[], options: { sync: boolean }): void
  /** Tells what passes and is not kept. */
  pass(body: PassingBody): void
}

export function createRecorder(options: {
  log: ConversationLog
  evidence: Pick<EvidenceStore, "relate">
  tell: (event: ConversationEvent) => void
  /** The number of the last event that the log already holds. */
  lastSeq: number
}): Recorder {
  let lastSeq = options.lastSeq

  function recordAll(bodies: readonly EventBody[], { sync }: { sync: boolean }): void {
    const events = options.log.append(bodies, { sync })
    for (const event of events) {
      lastSeq = event.seq
      options.tell(event)
    }
    for (const relation of events.flatMap(relationsOf)) options.evidence.relate(relation)
  }

  return {
    recordAll,
    record: (body, { sync } = { sync: false }) => recordAll([body], { sync }),
    pass(body) {
      options.tell({ after: lastSeq, ...body })
    },
  }
}
