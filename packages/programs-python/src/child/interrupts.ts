import process from "node:process"
import { exitCodes } from "../frames.ts"
import type { Pipes } from "./pipes.ts"

const SIGINT = 2
const SIGUSR1 = 10

const STOP_POLL_MS = 20
const SLOW_POLL_MS = 50

/** What Python asks, thousands of times a second while it computes, whether a signal has come. */
export interface Interrupts {
  /** For Pyodide's `setInterruptBuffer`: reads of index 0 are the question. */
  readonly buffer: Uint8Array
  /** A program starts; a stop number other than this one interrupts it, once each. */
  begin(stop: number): void
}

/**
 * The interrupts of one interpreter. Every 20 ms a stop number is read: a new one raises
 * KeyboardInterrupt. Every 50 ms SIGUSR1 lets Python flush what was printed, and the process ends
 * itself when its host is gone or when it holds more than `rssLimitBytes`.
 */
export function createInterrupts(options: {
  pipes: Pipes
  rssLimitBytes: number
  exit: (code: number) => never
}): Interrupts {
  const { pipes, rssLimitBytes, exit } = options
  const host = process.ppid
  let seen = 0
  let stopAtMs = 0
  let slowAtMs = 0

  const signal = (): number => {
    const nowMs = performance.now()
    if (nowMs < stopAtMs) return 0

    stopAtMs = nowMs + STOP_POLL_MS
    const stop = pipes.stopNumber()
    if (stop !== seen) {
      seen = stop
      return SIGINT
    }

    if (nowMs < slowAtMs) return 0
    slowAtMs = nowMs + SLOW_POLL_MS
    if (process.ppid !== host) exit(exitCodes.hostGone)
    if (process.memoryUsage.rss() > rssLimitBytes) exit(exitCodes.memory)
    return SIGUSR1
  }

  return {
    buffer: new Proxy(new Uint8Array(1), { get: () => signal(), set: () => true }),
    begin(stop) {
      seen = stop
    },
  }
}
