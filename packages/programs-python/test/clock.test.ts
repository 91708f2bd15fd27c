import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { type Deadline, startDeadline } from "../src/clock.ts"

describe("a deadline", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  function start(limitMs: number): { deadline: Deadline; expired: number[] } {
    const expired: number[] = []
    const startMs = performance.now()
    const now = () => performance.now()
    const deadline = startDeadline(now, limitMs, () => expired.push(now() - startMs))
    return { deadline, expired }
  }

  test("expires once, when its time is over", () => {
    const { expired } = start(100)
    vi.advanceTimersByTime(1_000)
    expect(expired).toEqual([100])
  })

  test("does not count the time for which it was held", () => {
    const { deadline, expired } = start(100)
    vi.advanceTimersByTime(60)
    deadline.hold()
    vi.advanceTimersByTime(500)
    deadline.release()
    vi.advanceTimersByTime(39)
    expect(expired).toEqual([])
    vi.advanceTimersByTime(10)
    expect(expired).toEqual([600])
  })

  test("goes on only when every hold was released", () => {
    const { deadline, expired } = start(100)
    deadline.hold()
    deadline.hold()
    deadline.release()
    vi.advanceTimersByTime(500)
    expect(expired).toEqual([])
    deadline.release()
    vi.advanceTimersByTime(100)
    expect(expired).toEqual([600])
  })

  test("never expires once it was cancelled, held or not", () => {
    const { deadline, expired } = start(100)
    deadline.hold()
    deadline.cancel()
    deadline.release()
    vi.advanceTimersByTime(1_000)
    expect([expired, vi.getTimerCount()]).toEqual([[], 0])
  })

  test("longer than a timer can wait does not expire at once", () => {
    const { expired } = start(2 ** 40)
    vi.advanceTimersByTime(10_000)
    expect(expired).toEqual([])
  })

  test("expires after exactly its counted time, whatever was held in between", () => {
    const stretches = fc.array(fc.tuple(fc.nat(50), fc.nat(50)), { maxLength: 20 })
    fc.assert(
      fc.property(stretches, fc.integer({ min: 1, max: 1_000 }), (parts, limitMs) => {
        const { deadline, expired } = start(limitMs)
        let counted = 0
        for (const [running, held] of parts) {
          vi.advanceTimersByTime(running)
          counted += running
          expect(expired.length > 0).toBe(counted >= limitMs)
          deadline.hold()
          vi.advanceTimersByTime(held)
          deadline.release()
        }
        deadline.cancel()
      }),
    )
  })
})
