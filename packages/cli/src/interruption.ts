import { signalExit } from "./exit-codes.ts"
import type { Invocation, SignalName } from "./invocation.ts"

/** What a run was told from outside, while it ran. */
export interface Interruption {
  /** Aborted by the first signal, or when the reader of standard output went away. */
  readonly first: AbortSignal
  /** Aborted by the second signal: nothing is waited for any more. */
  readonly second: AbortSignal
  /** The exit code by the first signal; undefined when there was none. */
  exit(): number | undefined
  /** Gives the signals back. */
  stop(): void
}

export function watchInterruption({ signals, stdout }: Pick<Invocation, "signals" | "stdout">) {
  const first = new AbortController()
  const second = new AbortController()
  let exit: number | undefined

  const on = (signal: SignalName) => () => {
    if (exit !== undefined) return second.abort(signal)
    exit = signalExit[signal]
    first.abort(signal)
  }
  const listeners = { SIGHUP: on("SIGHUP"), SIGINT: on("SIGINT"), SIGTERM: on("SIGTERM") }
  const gone = () => first.abort("standard output was closed")

  signals.on("SIGHUP", listeners.SIGHUP)
  signals.on("SIGINT", listeners.SIGINT)
  signals.on("SIGTERM", listeners.SIGTERM)
  if (stdout.closed.aborted) gone()
  else stdout.closed.addEventListener("abort", gone, { once: true })

  const interruption: Interruption = {
    first: first.signal,
    second: second.signal,
    exit: () => exit,
    stop() {
      signals.off("SIGHUP", listeners.SIGHUP)
      signals.off("SIGINT", listeners.SIGINT)
      signals.off("SIGTERM", listeners.SIGTERM)
      stdout.closed.removeEventListener("abort", gone)
    },
  }
  return interruption
}
