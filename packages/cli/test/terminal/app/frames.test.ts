import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { createFrames } from "../../../src/terminal/app/frames.ts"

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** When frames were drawn, where something changes each millisecond and a frame takes so long. */
function drawnAt(tookMs: number, forMs: number): number[] {
  const drawn: number[] = []
  const frames = createFrames(() => {
    drawn.push(Date.now())
    vi.setSystemTime(Date.now() + tookMs)
  }, Date.now)
  vi.setSystemTime(0)
  for (let ms = 0; ms < forMs; ms += 1) {
    frames.request()
    vi.advanceTimersByTime(1)
  }
  frames.stop()
  return drawn
}

test("frames that take no time are 33 ms apart", () => {
  expect(drawnAt(0, 100)).toEqual([0, 33, 66, 99])
})

test("a frame that took long is followed by a rest, of a quarter of a second at most", () => {
  expect(drawnAt(20, 250).slice(0, 2)).toEqual([0, 100])
  expect(drawnAt(1_000, 600).slice(0, 2)).toEqual([0, 1_250])
})

test("nothing is drawn after the end", () => {
  const draw = vi.fn()
  const frames = createFrames(draw, Date.now)
  frames.request()
  frames.stop()
  frames.request()
  vi.advanceTimersByTime(1_000)
  expect(draw).not.toHaveBeenCalled()
})
