import type { DurableEvent } from "@harness/protocol"
import { imageLinksOf } from "../images/links.ts"
import { textLinksOf } from "./text-links.ts"

/** Bytes that an operation may leave behind. Settled once, with what it really left. */
export type Grant = { status: "granted"; bytes: number }

export type Reservation = Grant | { status: "exhausted"; limitBytes: number; usedBytes: number }

/** The bytes of evidence and output of one conversation: reserved before, settled after. */
export interface Ledger {
  /**
   * Grants as many of `bytes` as are free. Exhausted when fewer than `leastBytes` are (default: any
   * at all); nothing is reserved then. No bytes are always granted.
   */
  reserve(bytes: number, options?: { leastBytes: number }): Reservation
  /**
   * Gives back what was not used. Bytes beyond the grant count too, up to the limit: whoever left
   * them finds the ledger full. A grant that was settled before is left as it is.
   */
  settle(grant: Grant, usedBytes: number): void
  /** Settled and reserved bytes: never below 0, never above the limit. */
  usedBytes(): number
  /** What can still be reserved. */
  freeBytes(): number
}

/**
 * Makes a ledger; `usedBytes` is what the conversation has left behind before (see
 * {@link evidenceBytesOf}).
 *
 * @example
 * const ledger = createLedger({ limitBytes: limits.evidence_bytes, usedBytes: 0 })
 * const grant = ledger.reserve(16_777_216)
 */
export function createLedger(options: { limitBytes: number; usedBytes: number }): Ledger {
  const { limitBytes } = options
  const open = new Set<Grant>()
  let settled = Math.min(options.usedBytes, limitBytes)
  let reserved = 0

  return {
    reserve(bytes, { leastBytes } = { leastBytes: Math.min(bytes, 1) }) {
      const usedBytes = settled + reserved
      const free = limitBytes - usedBytes
      if (free < leastBytes) return { status: "exhausted", limitBytes, usedBytes }

      const grant: Grant = { status: "granted", bytes: Math.min(bytes, free) }
      open.add(grant)
      reserved += grant.bytes
      return grant
    },
    settle(grant, usedBytes) {
      if (!open.delete(grant)) return
      reserved -= grant.bytes
      settled = Math.min(settled + Math.max(usedBytes, 0), limitBytes - reserved)
    },
    usedBytes: () => settled + reserved,
    freeBytes: () => limitBytes - settled - reserved,
  }
}

/**
 * What a log's conversation has left behind: what the receipts of its actions say and what processes
 * left after them, the sources and outputs of its programs, the images that came with messages, and
 * texts that were too long for the window. What `gc` collected counts no more.
 */
export function evidenceBytesOf(events: readonly DurableEvent[]): number {
  const collected = events.findLastIndex(({ type }) => type === "artifacts_collected")
  let bytes = 0
  for (const event of events.slice(collected + 1)) {
    if (event.type === "action_ended") bytes += event.receipt.evidence_bytes
    else if (event.type === "process_ended") bytes += event.evidence_bytes
    else if (event.type === "program_started") bytes += Buffer.byteLength(event.source)
    else if (event.type === "program_ended") bytes += event.output_bytes
    else if (event.type === "user_message") {
      for (const image of imageLinksOf(event.message)) bytes += image.bytes
    }
    for (const text of textLinksOf(event)) bytes += text.bytes
  }
  return bytes
}
