import type { DurableEvent, EventBody, EvidenceLink } from "@harness/protocol"

/** Where a log ends: the number and the hash of its last record (of its start, when empty). */
export type LogHead = { seq: number; hash: string }

/**
 * The durable state of a conversation: an append-only, hash-chained list of events with one writer.
 *
 * A log is opened by the holder of a fence, a number that grows with each new holder. When somebody
 * else has taken the conversation over since, an append writes nothing and throws
 * `conversation_locked`: a writer that was paused and wakes up cannot spoil the log.
 */
export interface ConversationLog {
  /** The number that its holder's right to write was given. */
  readonly fence: number
  /**
   * Numbers, dates and keeps the events, all or none, in the order of the calls. A `turn_ended` gets
   * the chain's head before it. With `sync` it returns when they would survive the machine's crash;
   * without it, when they would survive this process.
   * Throws `log_unwritable` (the log is as before the call) and `conversation_locked`.
   *
   * @example
   * log.append([{ type: "action_started", action_id: "a1" }], { sync: true })
   */
  append(bodies: readonly EventBody[], options: { sync: boolean }): DurableEvent[]
  head(): LogHead
  /** Every event, checked against the chain. Rejects with `log_damaged`. */
  read(): Promise<DurableEvent[]>
  /** Gives the resources back; what comes after throws `log_unwritable`. Safe to call twice. */
  close(): Promise<void>
}

/** A payload as it is kept: its address and its size. */
export type StoredEvidence = { sha256: string; bytes: number }

/** Whether a payload is there, and whether it still is what its address says. */
export type EvidenceContent =
  | { status: "found"; bytes: Uint8Array }
  | { status: "missing" }
  /** It was emptied by `redact`, for good. */
  | { status: "redacted" }
  /** Something is stored there, but its hash is `found`. */
  | { status: "altered"; found: string }

/** What a payload is to an action: one line of the index. */
export type EvidenceRelation = EvidenceLink & {
  /** Null for an image that came with a message of the user. */
  action_id: string | null
  /** That of the record whose receipt links the payload: the index says nothing that the log does not. */
  at: string
}

/** Immutable payloads by their sha256, and the index that relates them to what left them. */
export interface EvidenceStore {
  /** Keeps a payload; the same content is kept once. Safe beside another process that does the same. */
  put(bytes: Uint8Array): Promise<StoredEvidence>
  /** Reads a payload and verifies it. */
  get(sha256: string): Promise<EvidenceContent>
  /** True when something is kept at that address; only {@link get} verifies it. */
  has(sha256: string): Promise<boolean>
  /** Appends to the index, in the order of the calls. Throws `log_unwritable`. */
  relate(relation: EvidenceRelation): void
  /** The index, oldest first. A last line that was cut off by a crash does not count. */
  relations(): Promise<EvidenceRelation[]>
}
