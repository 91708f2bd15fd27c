import type { SignalName } from "./invocation.ts"
import type { TurnEnd } from "./printers/printer.ts"

/** A wrong call of the command. */
export const usageExit = 2

/** 128 and the signal's number, as shells have it. */
export const signalExit = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const satisfies Record<
  SignalName,
  number
>

/** The exit code of a run whose turn ended so; one that a signal ended has the signal's. */
export function exitOfTurn({ ending, verification }: TurnEnd): number {
  switch (ending.status) {
    case "answered":
      return verification === "failed" ? 5 : 0
    case "limit_reached":
      return 3
    case "interrupted":
      return 1
    case "failed":
      return ending.failure.exit
  }
}
