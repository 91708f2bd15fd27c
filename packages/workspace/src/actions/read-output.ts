import { defineAction, z } from "@harness/sdk"
import { partByBytes } from "../parts.ts"
import { ProcessId } from "../processes.ts"
import { numberIn, summaryOf } from "../summaries.ts"
import { decodeLossy } from "../text/utf8.ts"
import { grouped } from "../text/words.ts"
import { limitRefusal } from "./read-file.ts"

/** Pages through what a process has printed, while it runs too. */
export const readOutput = defineAction({
  name: "read_output",
  effect: "read",
  description:
    "A process's output from a byte offset, at most limit bytes (default 12000, at most 64000). While it runs next_offset is where to read on, even if nothing is there yet.",
  input: z.object({
    id: ProcessId,
    offset: z.int().min(0).default(0),
    limit: z.int().min(1).nullable().default(null),
  }),
  returns: "{text, bytes, next_offset, size, status}",

  async run({ id, offset, limit }, context) {
    const limitBytes = limit ?? context.limits.read_bytes
    const refused = limitRefusal(limitBytes, context.limits)
    if (refused !== null) return refused

    // Asked for first: what ends in between is read to its end at most once more than needed.
    const state = await context.processes.status(id)
    const path = id.startsWith("output:") ? id : `output:${id}`
    const part = await partByBytes(path, { offset, limitBytes }, context)
    if (part.status === "error") return part.result

    const { bytes, size } = part
    const end = part.offset + bytes.length
    const isRunning = state?.receipt.status === "running"
    return {
      id,
      text: decodeLossy(bytes),
      bytes: bytes.length,
      offset: part.offset,
      next_offset: end < size || isRunning ? end : null,
      size,
      status: state?.receipt.status ?? null,
    }
  },

  summarise({ id }, result) {
    const amount = `${grouped(numberIn(result, "bytes"))} of ${grouped(numberIn(result, "size"))}`
    return summaryOf(`read ${id}`, result, `${amount} bytes`, " ")
  },
})
