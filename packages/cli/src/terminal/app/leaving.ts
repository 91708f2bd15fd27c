import { signalExit } from "../../exit-codes.ts"
import type { Invocation, SignalName } from "../../invocation.ts"
import type { TerminalEnd } from "../contracts.ts"

/** What ends the terminal from outside. */
export interface Leaving {
  /** Gives the signals back. */
  stop(): void
}

/**
 * Watches for signals and for a terminal that is gone: closed, or lost with its connection. What runs
 * is not waited for long then: the exit is `now`.
 */
export function watchLeaving(
  { signals, stdout: output }: Pick<Invocation, "signals" | "stdout">,
  { stdin, stdout }: { stdin: NodeJS.ReadStream; stdout: NodeJS.WriteStream },
  end: (end: TerminalEnd) => void,
): Leaving {
  const by = (signal: SignalName) => () =>
    end({ type: "left", exit: { code: signalExit[signal], now: true } })
  const listeners = { SIGHUP: by("SIGHUP"), SIGINT: by("SIGINT"), SIGTERM: by("SIGTERM") }
  const lost = listeners.SIGHUP

  for (const signal of signalNames) signals.on(signal, listeners[signal])
  stdin.on("error", lost).on("end", lost).on("close", lost)
  stdout.on("error", lost)
  if (output.closed.aborted) lost()

  return {
    stop() {
      for (const signal of signalNames) signals.off(signal, listeners[signal])
      stdin.off("end", lost).off("close", lost)
      // The listeners for errors stay: a terminal that is gone fails again and again.
    },
  }
}

const signalNames = ["SIGHUP", "SIGINT", "SIGTERM"] as const
