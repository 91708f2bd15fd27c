import { Ending, isFailure, toFailure } from "@harness/protocol"
import type { Budget } from "../budget/budget.ts"

/** How a turn ends that an error broke off. */
export function endingOf(error: unknown, signal: AbortSignal, budget: Budget): Ending {
  if (isFailure(error, "log_unwritable")) {
    const message = `${error.message} ${budget.wayOn({ first: "make room" })}`
    return { status: "limit_reached", limit: "disk", message }
  }
  if (signal.aborted) return interrupted(signal)
  return { status: "failed", failure: toFailure(error) }
}

/** The reason of an abort is an ending where a limit caused it; else it says who did. */
export function interrupted(signal: AbortSignal): Ending {
  const reached = Ending.safeParse(signal.reason)
  if (reached.success) return reached.data
  return { status: "interrupted", reason: String(signal.reason) }
}
