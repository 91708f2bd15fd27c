import { setTimeout as sleep } from "node:timers/promises"

/** How a request that failed before any output is made again. */
export type RetryOptions = {
  /** From the first request on, no further one is begun after so many seconds; 0 for never. */
  withinSeconds: number
  /** Milliseconds since the epoch, never going back. */
  now?: () => number
  /** A number from 0 up to 1. */
  random?: () => number
  /** Rejects with the signal's reason. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** The retries of one request. */
export type Retries = {
  now: () => number
  /**
   * How long to wait before the next try, in whole milliseconds; null when there must be none: the
   * wait asked for, or the backoff, would go beyond the limit.
   */
  next(asked: { retryAfterMs: number | null }): number | null
  wait: (ms: number, signal: AbortSignal) => Promise<void>
}

/**
 * Begins to count for one request. The provider's own word on when to come back is kept to the
 * millisecond; without one the wait doubles from a second to half a minute, half of it by chance. Who
 * says "at once" again and again is believed three times: after that no wait is shorter than these.
 */
export function beginRetries(options: RetryOptions): Retries {
  const { withinSeconds, now = epochMs, random = Math.random, wait = waitFor } = options
  const endMs = now() + withinSeconds * 1_000
  let tries = 0

  return {
    now,
    wait,
    next({ retryAfterMs }) {
      const backoffMs = Math.min(firstWaitMs * 2 ** tries, longestWaitMs) * (0.5 + random() / 2)
      tries += 1
      const leastMs = tries > believedTries ? backoffMs : 0
      const ms = Math.ceil(Math.max(retryAfterMs ?? backoffMs, leastMs))
      return now() + ms < endMs ? ms : null
    },
  }
}

const believedTries = 3
const firstWaitMs = 1_000
const longestWaitMs = 30_000

function epochMs(): number {
  return performance.timeOrigin + performance.now()
}

async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal })
  } catch (error) {
    // The timer rejects with an error of its own.
    signal.throwIfAborted()
    throw error
  }
}
