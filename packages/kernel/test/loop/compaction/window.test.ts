import type { Message } from "@harness/protocol"
import { expect, test } from "vitest"
import { contextWindow } from "../../../src/loop/compaction/window.ts"

const none = { cached_input_tokens: null, reasoning_tokens: null }

function says(role: "user" | "assistant", bytes: number): Message {
  return { role, content: [{ type: "text", text: "x".repeat(bytes - 16) }] }
}

function windowOf(more: Partial<Parameters<typeof contextWindow>[0]> = {}) {
  const unknown = { contextTokens: undefined, outputTokens: undefined, maxOutputTokens: undefined }
  return contextWindow({ ...unknown, fixedBytes: 320, ...more })
}

test("without a report a token is 3.2 bytes of all", () => {
  expect(windowOf().estimate([says("user", 640)])).toBe(300)
})

test("what was reported counts as it is, and what came since by its bytes", () => {
  const window = windowOf()
  const messages = [says("user", 640), says("assistant", 320)]
  window.replied(messages, { asked: 1, usage: { ...none, input_tokens: 450, output_tokens: 70 } })
  // The provider counts half as much again as we do: that holds for what is added, too.
  expect(window.estimate([...messages, says("user", 640)])).toBe(450 + 70 + 300)
  expect(window.scale()).toBe(1.5)
})

test("a count that is too low, as of servers that tell only what was not kept, lowers nothing else", () => {
  const window = windowOf()
  const messages = [says("user", 640), says("assistant", 320)]
  window.replied(messages, { asked: 1, usage: { ...none, input_tokens: 3, output_tokens: null } })
  expect(window.scale()).toBe(1)
  expect(window.estimate([says("user", 640)])).toBe(300)
})

test("other messages than those of the report are counted anew", () => {
  const window = windowOf()
  const messages = [says("user", 640), says("assistant", 320)]
  window.replied(messages, { asked: 1, usage: { ...none, input_tokens: 300, output_tokens: 100 } })
  expect(window.estimate([says("user", 320), says("assistant", 320)])).toBe(300)
})

test("an eighth of the window is left to the reply, or less where a reply holds less", () => {
  const size = { whole: 8_000, room: 7_000, full: 6_300 }
  expect(windowOf({ contextTokens: 8_000 }).size()).toEqual(size)
  expect(windowOf({ contextTokens: 8_000, outputTokens: 4_000 }).size()).toEqual(size)
  expect(windowOf({ contextTokens: 8_000, outputTokens: 500 }).size()).toEqual({
    whole: 8_000,
    room: 7_500,
    full: 6_750,
  })
  expect(windowOf().size()).toBe(undefined)
})

test("the output is capped where the window has less left than a reply can hold, or by the user", () => {
  const window = windowOf({ contextTokens: 8_000, outputTokens: 4_000 })
  expect(window.outputCap(3_000)).toBe(undefined)
  expect(window.outputCap(5_000)).toBe(2_840)
  expect(window.outputCap(9_000)).toBe(1)
  expect(windowOf({ contextTokens: 8_000 }).outputCap(7_000)).toBe(undefined)
  const capped = windowOf({ contextTokens: 8_000, outputTokens: 4_000, maxOutputTokens: 1_000 })
  expect([capped.outputCap(5_000), capped.outputCap(7_500)]).toEqual([1_000, 340])
  expect(windowOf({ maxOutputTokens: 1_000 }).outputCap(7_000)).toBe(1_000)
})

test("a refusal makes the window what the server names, or less than what was sent", () => {
  const named = windowOf()
  named.refused(9_000, 8_000)
  expect(named.size()?.whole).toBe(8_000)
  const unnamed = windowOf({ contextTokens: 20_000 })
  unnamed.refused(10_000, null)
  expect(unnamed.size()?.whole).toBe(8_000)
})

test("refused although the estimate fits, more is estimated from then on", () => {
  const window = windowOf({ contextTokens: 8_000 })
  const messages = [says("user", 16_000)]
  window.refused(window.estimate(messages), 8_000)
  expect(window.estimate(messages)).toBeGreaterThan(8_000)
})
