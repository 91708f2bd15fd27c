/**
 * Why the signal of a step is aborted when the user breaks off that step alone: the turn goes on. Any
 * other reason is the turn's own.
 */
export const stepInterruption = new Error("interrupted by the user")

export function isStepInterrupted(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason === stepInterruption
}

/** What the model is told in the place of a message, when the user said nothing more. */
export const interruptionNotice =
  "[The user interrupted you. What you were saying is gone, and what ran was cancelled. Go on with the task in another way, or ask what is wanted.]"
