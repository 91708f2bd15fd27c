/** Milliseconds of a clock that never goes back. */
export type Now = () => number

/** A deadline of time that counts only while nothing holds it. */
export interface Deadline {
  /** Stops the count. Nested: it goes on when every hold was released. */
  hold(): void
  release(): void
  /** Ends it; `expired` is not called after this. */
  cancel(): void
}

/**
 * Starts counting at once and calls `expired` when `limitMs` of counted time have passed.
 * A hold costs no timer: only a running out timer looks whether time was held.
 */
export function startDeadline(now: Now, limitMs: number, expired: () => void): Deadline {
  let countedMs = 0
  let sinceMs = now()
  let holds = 0
  let timer: NodeJS.Timeout | null = null
  let over = false

  const leftMs = () => limitMs - countedMs - (holds === 0 ? now() - sinceMs : 0)
  const arm = () => {
    // setTimeout takes no longer waits than a signed 32-bit number of milliseconds.
    timer = setTimeout(look, Math.min(Math.max(leftMs(), 1), 2_147_483_647))
  }
  const look = () => {
    timer = null
    if (over || holds > 0) return
    if (leftMs() > 0) return arm()
    over = true
    expired()
  }
  arm()

  return {
    hold() {
      if (holds++ === 0) countedMs += now() - sinceMs
    },
    release() {
      if (--holds > 0) return
      sinceMs = now()
      if (!over && timer === null) arm()
    },
    cancel() {
      over = true
      if (timer) clearTimeout(timer)
      timer = null
    },
  }
}
