import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { liveText } from "../../src/ipc/live-text.ts"

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

/** A receiver that takes a message only when it is told to. */
function receiver() {
  const texts: string[] = []
  const sent: (() => void)[] = []
  const live = liveText((text, done) => {
    texts.push(text)
    sent.push(done)
  })
  return { texts, live, take: () => sent.shift()?.() }
}

test("text that comes together is sent together, 50 ms after its first character", () => {
  const { texts, live } = receiver()
  live.text("a")
  vi.advanceTimersByTime(49)
  live.text("b")
  expect(texts).toEqual([])
  vi.advanceTimersByTime(1)
  expect(texts).toEqual(["ab"])
  vi.advanceTimersByTime(1_000)
  expect(texts).toEqual(["ab"])
})

test("8 KiB are sent at once", () => {
  const { texts, live } = receiver()
  live.text("x".repeat(8_191))
  expect(texts).toEqual([])
  live.text("y")
  expect(texts).toEqual([`${"x".repeat(8_191)}y`])
})

test("a character that is cut between two reads comes whole", () => {
  const { texts, live } = receiver()
  const bytes = Buffer.from("ö")
  live.bytes(bytes.subarray(0, 1))
  vi.advanceTimersByTime(50)
  live.bytes(bytes.subarray(1))
  vi.advanceTimersByTime(50)
  expect(texts).toEqual(["ö"])
})

test("when nobody takes the messages, text is skipped and its amount told later", () => {
  const { texts, live, take } = receiver()
  const chunk = "x".repeat(8_192)
  for (let message = 0; message < 20; message += 1) live.text(chunk)
  expect(texts).toEqual(Array(16).fill(chunk))
  take()
  live.text("back")
  vi.advanceTimersByTime(50)
  expect(texts.at(-1)).toBe("[32768 characters are not shown here]\nback")
})

test("of a flood as much is shown as could be read, however fast it is taken", () => {
  const { texts, live, take } = receiver()
  const flood = () => {
    for (let message = 0; message < 100; message += 1) {
      live.text("x".repeat(8_192))
      take()
    }
  }
  flood()
  expect(texts.join("")).toHaveLength(262_144)
  vi.advanceTimersByTime(1_000)
  live.text("later")
  vi.advanceTimersByTime(50)
  expect(texts.at(-1)).toBe("[557056 characters are not shown here]\nlater")
})

test("the rest is taken once, by whoever sends the end", () => {
  const { texts, live } = receiver()
  live.text("last words")
  expect([live.rest(), live.rest()]).toEqual(["last words", ""])
  vi.advanceTimersByTime(1_000)
  expect(texts).toEqual([])
})
