import type { ConversationEvent } from "@harness/protocol"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { textPrinter } from "../../src/printers/text.ts"
import { paintFor } from "../../src/text/paint.ts"
import { capture } from "../support/capture.ts"

const erased = "\r\u001b[2K"

const waiting: ConversationEvent = {
  type: "model_waiting",
  after: 4,
  reason: "HTTP 429: Slow \u001b[31mdown",
  ms: 3_000,
}
const answer: ConversationEvent = { type: "text_delta", after: 4, text: "Hello." }

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

function watched(isTTY: boolean) {
  const shown = capture({ isTTY, columns: 80 })
  const printer = textPrinter(shown, paintFor(shown, { NO_COLOR: "1" }))
  printer.event(waiting)
  vi.advanceTimersByTime(1_100)
  printer.event(answer)
  vi.advanceTimersByTime(10_000)
  return shown.text()
}

test("a terminal counts down what is left of a wait, until something comes", () => {
  const text = watched(true)

  expect(text.split(erased)).toEqual([
    "waiting 3.0 s: HTTP 429: Slow ^[[31mdown\nasking again in 3 s",
    ...Array(4).fill("asking again in 3 s"),
    "asking again in 2 s",
    "\nHello.",
  ])
})

test("elsewhere a wait is one line", () => {
  expect(watched(false)).toBe("waiting 3.0 s: HTTP 429: Slow ^[[31mdown\n\nHello.")
})
