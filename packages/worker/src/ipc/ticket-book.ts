import type { WorkerFrame } from "@harness/protocol"
import { ticketKey, verifyTicket } from "@harness/protocol/ticket"

export type TicketedFrame = Extract<WorkerFrame, { type: "preview" | "run" }>

/** Knows the key, and which tickets were used. */
export interface TicketBook {
  /** Why the frame may not run; undefined when it may, and then its ticket is used up. */
  refusalOf(frame: TicketedFrame): string | undefined
}

export function ticketBook(hexadecimal: string): TicketBook {
  const key = ticketKey(hexadecimal)
  const used = new Set<string>()

  return {
    refusalOf({ type, ticket, action, input, permits }) {
      const subject = { type, actionId: ticket.action_id, action, input, permits }
      if (!verifyTicket(key, subject, ticket.mac)) return "its ticket is not the scheduler's"

      const name = `${type}\n${ticket.action_id}`
      if (used.has(name)) return "its ticket was used before"
      used.add(name)
      return undefined
    },
  }
}
