import type { Message } from "@harness/protocol"
import fc from "fast-check"
import { expect, test } from "vitest"
import { transcriptOf } from "../../../src/loop/compaction/transcript.ts"

const none = new Map<string, string[]>()

function user(text: string): Message {
  return { role: "user", content: [{ type: "text", text }] }
}

/** A step: a call, and its result of so many characters. */
function step(n: number, size: number): Message[] {
  const id = `c${n}`
  const call = { type: "call" as const, id, tool: "bash", arguments: `{"n":${n}}` }
  const text = `${n}`.repeat(size)
  return [
    { role: "assistant", content: [{ type: "text", text: `Step ${n}.` }, call] },
    { role: "tool", content: [{ type: "result", call_id: id, tool: "bash", status: "ok", text }] },
  ]
}

test("what fits is told whole, in order", () => {
  const messages = [user("Do it."), ...step(1, 3)]
  expect(transcriptOf(messages, { limitBytes: 1_000, outputsOfCall: none })).toBe(`user:
Do it.

you:
Step 1.

you called bash:
{"n":1}

result of bash (ok):
111
`)
})

test("the oldest results are shortened first, with a mark and the names of their outputs", () => {
  const messages = [user("Do it."), ...step(1, 1_000), ...step(2, 1_000)]
  const outputsOfCall = new Map([["c1", ["output:ab", "output:cd"]]])
  const text = transcriptOf(messages, { limitBytes: 1_700, outputsOfCall })
  expect(text).toContain(
    `${"1".repeat(160)}\n[840 more bytes are left out here; all of it is in output:ab, output:cd]`,
  )
  expect(text).toContain("2".repeat(1_000))
})

test("then the oldest steps go, and what is asked stays", () => {
  const messages = [user("Do it."), ...[1, 2, 3, 4, 5].flatMap(n => step(n, 400))]
  const text = transcriptOf(messages, { limitBytes: 700, outputsOfCall: none })
  expect(text).toMatch(/^user:\nDo it\.\n\n\[\d+ messages and results are left out here\]\n/)
  expect(text).toContain("5".repeat(160))
  expect(text).not.toContain("Step 1.")
})

test("whatever the messages are, it keeps to its limit", () => {
  const Messages = fc.array(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 900 }).map(text => [user(text)]),
      fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 3_000 })).map(([n, size]) => step(n, size)),
    ),
    { maxLength: 20 },
  )
  fc.assert(
    fc.property(Messages, fc.integer({ min: 200, max: 5_000 }), (messages, limitBytes) => {
      const text = transcriptOf(messages.flat(), { limitBytes, outputsOfCall: none })
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limitBytes)
    }),
  )
})
