import { signalExit } from "../../exit-codes.ts"
import type { Invocation, Screen, SignalName } from "../../invocation.ts"
import type { TerminalEnd } from "../contracts.ts"

/** What ends the terminal from outside. */
export interface Leaving {
  /** Gives the signals back. */
  stop(): void
}

/**
 * Watches for signals and for a terminal that is gone: closed, or lost with its connection. What runs
 * is not waited for long then: the exit is `now`. A signal that comes while things are being ended
 * changes nothing: a terminal that closes sends several.
 */
export function watchLeaving(
  { signals, stdout: output }: Pick<Invocation, "signals" | "stdout">,
  { stdin, stdout }: Screen,
  end: (end: TerminalEnd) => void,
): Leaving {
  let isLost = false
  const by = (signal: SignalName) => () => {
    isLost = true
    end({ type: "left", exit: { code: signalExit[signal], now: true } })
  }
  const listeners = { SIGHUP: by("SIGHUP"), SIGINT: by("SIGINT"), SIGTERM: by("SIGTERM") }
  const lost = listeners.SIGHUP

  for (const signal of signalNames) signals.on(signal, listeners[signal])
  stdin.on("error", lost).on("end", lost).on("close", lost)
  stdout.on("error", lost)
  if (output.closed.aborted) lost()

  return {
    stop() {
      // Whoever was told to go may be told again until the process has ended.
      if (isLost) return
      for (const signal of signalNames) signals.off(signal, listeners[signal])
      stdin.off("error", lost).off("end", lost).off("close", lost)
      stdout.off("error", lost)
    },
  }
}

const signalNames = ["SIGHUP", "SIGINT", "SIGTERM"] as const
