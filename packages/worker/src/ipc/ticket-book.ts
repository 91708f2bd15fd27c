import type { WorkerFrame } from "@harness/protocol"
import { imageSubject, ticketKey, verifyTicket } from "@harness/protocol/ticket"

export type TicketedFrame = Extract<WorkerFrame, { type: "preview" | "run" }>

/** An image's ticket is for its bytes. */
export type ImageFrame = Extract<WorkerFrame, { type: "image" }>

/** Knows the key, and which tickets were used. */
export interface TicketBook {
  /** Why the frame may not run; undefined when it may, and then its ticket is used up. */
  refusalOf(frame: TicketedFrame | ImageFrame): string | undefined
}

export function ticketBook(hexadecimal: string): TicketBook {
  const key = ticketKey(hexadecimal)
  const used = new Set<string>()

  return {
    refusalOf(frame) {
      const { type, ticket } = frame
      const subject = { type, actionId: ticket.action_id, ...subjectOf(frame) }
      if (!verifyTicket(key, subject, ticket.mac)) return "its ticket is not the scheduler's"

      const name = `${type}\n${ticket.action_id}`
      if (used.has(name)) return "its ticket was used before"
      used.add(name)
      return undefined
    },
  }
}

function subjectOf(frame: TicketedFrame | ImageFrame) {
  if (frame.type === "image") return imageSubject(frame.sha256)
  const { action, input, permits } = frame
  return { action, input, permits }
}
