import { defineAction, type JsonObject, type Limits, z } from "@harness/sdk"
import { knownFrom } from "../known.ts"
import { type Part, partByBytes, partByLines } from "../parts.ts"
import { outputOf } from "../paths.ts"
import { numberIn, summaryOf } from "../summaries.ts"
import { type Decoded, decodeLossy, decodeText } from "../text/utf8.ts"
import { grouped } from "../text/words.ts"

/** Reads a window of a text file, or of an output that is named `output:<id>`. */
export const readFile = defineAction({
  name: "read_file",
  effect: "read",
  description:
    "Reads UTF-8 text of a file, or of a command's output by its output_id: from a byte offset, or `lines` lines from the 1-based `line`; at most `limit` bytes (default 12000, at most 64000).",
  input: z.object({
    path: z.string(),
    offset: z.int().min(0).default(0),
    limit: z.int().min(1).nullable().default(null),
    line: z.int().min(1).nullable().default(null),
    lines: z.int().min(1).nullable().default(null),
  }),
  returns:
    "{text, bytes, next_offset, truncated, size, sha256, and with line: first_line, last_line, total_lines}",

  async run({ path, offset, limit, line, lines }, context) {
    const limitBytes = limit ?? context.limits.read_bytes
    const refused = limitRefusal(limitBytes, context.limits)
    if (refused !== null) return refused

    const isByLines = line !== null || lines !== null
    const part = isByLines
      ? await partByLines(
          path,
          { line: line ?? 1, lines: lines ?? Number.POSITIVE_INFINITY, limitBytes },
          context,
        )
      : await partByBytes(path, { offset, limitBytes }, context)

    if (part.status === "error") return part.result
    const process = outputOf(path) === null ? null : await context.processes.status(path)
    const status = process?.receipt.status
    return { ...resultOf(part), ...(status === "running" && { status }) }
  },

  knows: ({ path }, result) => (outputOf(path) === null ? knownFrom(path, result) : []),

  summarise({ path }, result) {
    const bytes = numberIn(result, "bytes")
    const size = numberIn(result, "size")
    const amount = bytes === size ? grouped(bytes) : `${grouped(bytes)} of ${grouped(size)}`
    return summaryOf(`read ${path}`, result, `${amount} bytes`, " ")
  },
})

/** The result for a window that nobody may have; null for one that is within the limits. */
export function limitRefusal(limit: number, { read_bytes_max: most }: Limits): JsonObject | null {
  if (limit <= most) return null

  const message = `The limit ${limit} is not usable; nothing was read. Ask for at most ${most} bytes and read on from next_offset.`
  return { error: "invalid_limit", limit, message }
}

function resultOf(part: Part): JsonObject {
  const { path, bytes, offset, size, sha256, position } = part
  const decoded = decode(part)
  if (decoded.status === "not_text") {
    const message = `${path} is not UTF-8 text: it ${decoded.what} (${grouped(size)} bytes). Look at it with a command such as file or od, or with read_image if it is a picture.`
    return { error: decoded.error, path, size, sha256, message }
  }

  const end = offset + bytes.length
  return {
    path,
    text: decoded.text,
    bytes: bytes.length,
    offset,
    next_offset: end < size ? end : null,
    truncated: end < size,
    size,
    ...(sha256 !== null && { sha256 }),
    ...position,
  }
}

/** What a command printed need not be UTF-8 and must still be readable. */
function decode({ path, bytes }: Part): Decoded {
  if (outputOf(path) === null) return decodeText(bytes)
  return { status: "text", text: decodeLossy(bytes) }
}
