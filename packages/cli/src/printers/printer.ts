import type { CommandAnswer, ConversationEvent } from "@harness/protocol"

/** How a turn ended, as the kernel answers `send`. */
export type TurnEnd = Extract<CommandAnswer, { type: "send" }>

/** Reads a payload of evidence; null when it is not there as it was kept. */
export type ReadEvidence = (sha256: string) => Promise<Uint8Array | null>

/** Shows a run. What went wrong is not its subject: problems go to standard error in every form. */
export interface Printer {
  /** Called with every event, in order. */
  event(event: ConversationEvent): void
  /** Called once, after the turn's last event, while its evidence can be read. */
  ended(turn: TurnEnd, conversation: string, read: ReadEvidence): Promise<void>
}
