/** The time that a turn has taken, without what people took to answer. */
export interface TurnClock {
  /**
   * Begins a turn. The signal that it returns is aborted by the given one, or with `reason()` when
   * the limit is over, whatever is going on then. `stop` must be called at the turn's end.
   */
  start(
    signal: AbortSignal,
    limit: { seconds: number | null; reason: () => unknown },
  ): { signal: AbortSignal; stop: () => void }
  elapsedMs(): number
  /** A person is waited for: no time passes until each `pause` has its `resume`. */
  pause(): void
  resume(): void
}

/** `now` is a monotonic clock in milliseconds. */
export function createTurnClock(now: () => number): TurnClock {
  let pauses = 0
  /** What had passed when the clock last stood still, and since when it goes. */
  let passedMs = 0
  let sinceMs = now()
  let arm = () => {}
  let disarm = () => {}

  const elapsedMs = () => passedMs + (pauses === 0 ? now() - sinceMs : 0)

  return {
    start(signal, { seconds, reason }) {
      passedMs = 0
      sinceMs = now()
      if (seconds === null) return { signal, stop: () => {} }

      const over = new AbortController()
      let timer: NodeJS.Timeout | undefined
      disarm = () => clearTimeout(timer)
      arm = () => {
        const leftMs = seconds * 1_000 - elapsedMs()
        if (leftMs <= 0) over.abort(reason())
        // A timer can be early by a part of a millisecond, and holds no longer than 24 days.
        else timer = setTimeout(arm, Math.min(leftMs + 1, longestTimerMs))
      }
      if (pauses === 0) arm()
      return {
        signal: AbortSignal.any([signal, over.signal]),
        stop() {
          disarm()
          arm = () => {}
        },
      }
    },
    elapsedMs,
    pause() {
      passedMs = elapsedMs()
      pauses += 1
      disarm()
    },
    resume() {
      passedMs = elapsedMs()
      pauses -= 1
      sinceMs = now()
      if (pauses === 0) arm()
    },
  }
}

const longestTimerMs = 2 ** 31 - 1
