import type { Message } from "@harness/protocol"
import { expect, test } from "vitest"
import { keptFrom } from "../../../src/loop/compaction/cut.ts"

const user: Message = { role: "user", content: [{ type: "text", text: "Do it." }] }
const call: Message = {
  role: "assistant",
  content: [{ type: "call", id: "c", tool: "t", arguments: "{}" }],
}

/** A result of about so many tokens. */
function result(tokens: number): Message {
  const text = "x".repeat(Math.floor(tokens * 3.2))
  return {
    role: "tool",
    content: [{ type: "result", call_id: "c", tool: "t", status: "ok", text }],
  }
}

const messages = [user, call, result(10), call, result(300), call, result(200)]
const room = { limitTokens: 100, lastStepTokens: 100, hasRecord: false }

test("as many of the latest steps stay as fit, each whole", () => {
  expect(keptFrom(messages, { ...room, limitTokens: 1_000, lastStepTokens: 1_000 })).toBe(3)
  expect(keptFrom(messages, { ...room, limitTokens: 400, lastStepTokens: 400 })).toBe(5)
  expect(keptFrom(messages, room)).toBe(7)
})

test("the last step, whose results were not seen yet, may take more than the others", () => {
  expect(keptFrom(messages, { ...room, lastStepTokens: 400 })).toBe(5)
})

test("what the user said last stays in any case", () => {
  expect(keptFrom([...messages, user], room)).toBe(7)
  expect(keptFrom([...messages, user, user], room)).toBe(7)
})

test("a task alone, before or without a step, is nothing that could be left out", () => {
  expect(keptFrom([user], room)).toBe(0)
  expect(keptFrom([user, user], room)).toBe(0)
  expect(keptFrom([user, call, result(10)], { ...room, lastStepTokens: 400 })).toBe(3)
})

test("a record is made anew with what came after it, and alone too", () => {
  const roomy = { limitTokens: 1_000, lastStepTokens: 1_000, hasRecord: true }
  expect(keptFrom([user], roomy)).toBe(1)
  expect(keptFrom([user, user], roomy)).toBe(1)
  expect(keptFrom([user, call, result(10), call, result(10)], roomy)).toBe(3)
})
