import type { CommandAnswer, ConversationEvent } from "@harness/protocol"

/** How a turn ended, as the kernel answers `send`. */
export type TurnEnd = Extract<CommandAnswer, { type: "send" }>

/** Shows a run. What went wrong is not its subject: problems go to standard error in every form. */
export interface Printer {
  /** Called with every event, in order. */
  event(event: ConversationEvent): void
  /** Called once, after the turn's last event. */
  ended(turn: TurnEnd, conversation: string): void
}
