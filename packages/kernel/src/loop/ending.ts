import { type Ending, isFailure, toFailure } from "@harness/protocol"

/** How a turn ends that an error broke off. */
export function endingOf(error: unknown, signal: AbortSignal): Ending {
  if (isFailure(error, "log_unwritable")) {
    return { status: "limit_reached", limit: "disk", message: `${error.message} ${error.next}` }
  }
  if (signal.aborted) return interrupted(signal)
  return { status: "failed", failure: toFailure(error) }
}

export function interrupted(signal: AbortSignal): Ending {
  return { status: "interrupted", reason: String(signal.reason) }
}
