import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto"
import type { JsonObject } from "./json.ts"
import type { Permit } from "./permits.ts"

/** What a ticket lets run: exactly this frame, and once. */
export type TicketSubject = {
  type: "preview" | "run" | "image"
  actionId: string
  action: string
  input: JsonObject
  permits: readonly Permit[]
}

/** The key of one worker's tickets, made once: from its hexadecimal form it costs more than to sign. */
export type TicketKey = KeyObject

/** Takes the key in the form in which `hello` carries it. */
export function ticketKey(hexadecimal: string): TicketKey {
  return createSecretKey(Buffer.from(hexadecimal, "hex"))
}

/**
 * Signs the ticket of one frame with the key that the worker got in its `hello`. Only the scheduler
 * calls it. A subpath of its own, so that the protocol itself needs nothing of Node.
 *
 * @example
 * const key = ticketKey(hello.key)
 * const ticket = {
 *   action_id: "a1",
 *   mac: signTicket(key, { type: "run", actionId: "a1", action: "read_file", input, permits: [] }),
 * }
 */
export function signTicket(key: TicketKey, subject: TicketSubject): string {
  return createHmac("sha256", key).update(ticketMessage(subject)).digest("hex")
}

/** True when the mac is the one of this subject under this key; takes the same time for any other. */
export function verifyTicket(key: TicketKey, subject: TicketSubject, mac: string): boolean {
  const given = Buffer.from(mac)
  const right = Buffer.from(signTicket(key, subject))
  return given.length === right.length && timingSafeEqual(given, right)
}

/** What the ticket of an image is for besides its id: bytes of this hash. */
export function imageSubject(sha256: string): Omit<TicketSubject, "type" | "actionId"> {
  return { action: "image", input: { sha256 }, permits: [] }
}

/** The text that is signed. The input is last, so no field can flow into the next one. */
export function ticketMessage(subject: TicketSubject): string {
  const { type, actionId, action, input, permits } = subject
  return `${type}\n${actionId}\n${action}\n${permits.join(",")}\n${JSON.stringify(input)}`
}
