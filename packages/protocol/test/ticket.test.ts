import fc from "fast-check"
import { expect, test } from "vitest"
import { signTicket, ticketKey, ticketMessage, verifyTicket } from "../src/ticket.ts"

const key = ticketKey("00112233445566778899aabbccddeeff")
const subject = {
  type: "run" as const,
  actionId: "a1",
  action: "read_file",
  input: { path: "a.txt" },
  permits: ["secret_file"] as const,
}

test("the message of a ticket names type, action id, action, permits and input, one a line", () => {
  expect(ticketMessage(subject)).toBe('run\na1\nread_file\nsecret_file\n{"path":"a.txt"}')
})

test("a ticket holds for its own subject and key, and for no other", () => {
  const mac = signTicket(key, subject)
  expect(mac).toMatch(/^[0-9a-f]{64}$/)
  expect(verifyTicket(key, subject, mac)).toBe(true)
  expect(verifyTicket(key, { ...subject, type: "preview" }, mac)).toBe(false)
  expect(verifyTicket(key, { ...subject, actionId: "a2" }, mac)).toBe(false)
  expect(verifyTicket(key, { ...subject, action: "write_file" }, mac)).toBe(false)
  expect(verifyTicket(key, { ...subject, input: { path: "b.txt" } }, mac)).toBe(false)
  expect(verifyTicket(key, { ...subject, permits: [] }, mac)).toBe(false)
  expect(verifyTicket(ticketKey("ff"), subject, mac)).toBe(false)
})

test("any text that is not the mac is refused without a throw", () => {
  const mac = signTicket(key, subject)
  fc.assert(
    fc.property(fc.string(), text => {
      expect(verifyTicket(key, subject, text)).toBe(text === mac)
    }),
  )
  expect(verifyTicket(key, subject, mac.slice(0, -2))).toBe(false)
  expect(verifyTicket(key, subject, `${mac}00`)).toBe(false)
  expect(verifyTicket(key, subject, `${mac}zz`)).toBe(false)
})
