import { setFlagsFromString } from "node:v8"

/**
 * Keeps V8's young generation as large as it is by now. It grows with what is allocated at a time,
 * which in a long conversation is the text of one request after another, and never gives back what it
 * has: 30 MB at 200 steps. What stays is enough for a step.
 */
export function keepYoungGenerationSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1")
}
