import { z } from "@harness/sdk"

/** The library's report of an event that does not fit its schema. */
const Misfit = z.object({
  name: z.literal("AI_TypeValidationError"),
  value: z.object({ type: z.string() }),
})

const known = new Set([
  "message_start",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "message_delta",
  "message_stop",
  "ping",
  "error",
])

/**
 * True for an event of a kind that was not there when this was written. Anthropic adds such and asks
 * clients to pass over them; a known kind with other content is part of the reply, and breaks it.
 */
export function isUnknownEvent(error: unknown): boolean {
  const misfit = Misfit.safeParse(error)
  return misfit.success && !known.has(misfit.data.value.type)
}
