import type { ChildProcess } from "node:child_process"
import type { ProcessStatus } from "@harness/protocol"
import type { Channel } from "./channels.ts"
import type { Groups } from "./groups.ts"

/** What is left of the group may finish the output first: `exec > >(tee log)` outlives its shell. */
const LAST_WORDS_MS = 100

/** How long an output may be held open by others once the leader has exited. */
const HELD_OUTPUT_MS = 250

export type Ended = {
  status: ProcessStatus
  exitCode: number | null
  signal: NodeJS.Signals | null
  elapsedMs: number
  /** False when a stray may still hold the other end of the output. */
  drained: boolean
}

/** Why a running process is ended by us. */
export type StopStatus = Extract<
  ProcessStatus,
  "cancelled" | "timeout" | "output_limit" | "session_closed"
>

export interface Supervised {
  /** TERM to the command, and KILL to the group after the grace. The first reason stands. */
  stop(status: StopStatus): void
  /** The leader has exited and our end of the output is closed. */
  readonly ended: Promise<Ended>
}

export type SupervisionOptions = {
  child: ChildProcess
  group: number
  groups: Groups
  channel: Channel
  /** Asks the command to end. */
  terminate(): void
  take(bytes: Buffer): void
  startedAtMs: number
  /** Undefined: it may run for as long as it likes. */
  timeoutSeconds: number | undefined
  graceSeconds: number
}

/** Watches a process from its start to its end, with every timer in one place. */
export function supervise(options: SupervisionOptions): Supervised {
  const { child, group, groups } = options
  const timers = new Set<NodeJS.Timeout>()
  const after = (milliseconds: number, run: () => void) => {
    timers.add(setTimeout(run, milliseconds))
  }
  const clearTimers = () => {
    for (const timer of timers) clearTimeout(timer)
    timers.clear()
  }

  let status: ProcessStatus = "exited"
  let exit: Omit<Ended, "drained" | "status"> | undefined
  let drained: boolean | undefined
  let released = false
  const releaseGroup = () => {
    if (!released) groups.leaderExited(group)
    released = true
  }

  const { promise, resolve } = Promise.withResolvers<Ended>()
  const settle = () => {
    if (exit === undefined || drained === undefined) return
    clearTimers()
    releaseGroup()
    resolve({ status, ...exit, drained })
  }

  const reading = options.channel.read(child, {
    take: options.take,
    closed: everyoneClosed => {
      drained = everyoneClosed
      settle()
    },
  })

  child.once("exit", (exitCode, signal) => {
    clearTimers()
    exit = { exitCode, signal, elapsedMs: performance.now() - options.startedAtMs }
    // The group's id outlives its leader, so what it left behind can still be reached.
    after(LAST_WORDS_MS, releaseGroup)
    // What was written before must still be read: the timer only asks for it, one round later.
    after(HELD_OUTPUT_MS, () => setImmediate(reading.close))
    settle()
  })

  const stop = (reason: StopStatus) => {
    if (exit !== undefined || status !== "exited") return
    status = reason
    clearTimers()
    options.terminate()
    after(options.graceSeconds * 1_000, () => groups.signal(group, "SIGKILL"))
  }
  const { timeoutSeconds } = options
  if (timeoutSeconds !== undefined) after(timeoutSeconds * 1_000, () => stop("timeout"))
  return { stop, ended: promise }
}
