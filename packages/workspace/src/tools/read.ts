import { defineToolView, type Json, type JsonObject, type ResultRoom, z } from "@harness/sdk"
import { numberIn, textIn } from "../summaries.ts"
import { grouped } from "../text/words.ts"
import { presentProblem } from "./present.ts"

const LINES = 2_000

/** `read`: lines of a file or of an output, numbered. */
export const readTool = defineToolView({
  name: "read",
  description:
    "Read a file, or an output as output:<id>: numbered lines from line offset (default 1), at most limit lines or 12,000 bytes. Of a PNG, JPEG, GIF or WebP file you see the picture.",
  input: z.object({
    path: z.string(),
    offset: z.int().min(1).optional(),
    limit: z.int().min(1).optional(),
  }),

  plan({ path, offset = 1, limit = LINES }, _known, room) {
    if (imageName.test(path)) return { action: "read_image", input: { path } }
    const wanted = { path, line: offset, lines: limit }
    return { action: "read_file", input: { ...wanted, ...windowIn(room) } }
  },

  present({ path }, result) {
    const problem = presentProblem("read", result)
    if (problem !== null) return problem
    if (typeof result.media_type === "string") return imageNote(path, result)

    const first = numberIn(result, "first_line")
    const last = numberIn(result, "last_line")
    const text = textIn(result, "text")
    if (text === "") return `[${path} is empty${result.status === "running" ? " so far" : ""}]`

    const running = result.status === "running" ? ["[It is running and may print more.]"] : []
    const body = numbered(first === 1 ? text.replace(/^\uFEFF/, "") : text, first)
    const note = noteOf(result, { isCut: !text.endsWith("\n"), last })
    return [body, ...(note === null ? [] : [note]), ...running].join("\n")
  },
})

/** A small window gets less than usual, so that the next line to read on from is the right one. */
function windowIn(room: ResultRoom | undefined): { limit?: number } {
  if (room === undefined || room.limitBytes * textShare >= USUAL_BYTES) return {}
  return { limit: Math.max(1, Math.floor(room.limitBytes * textShare)) }
}

/** What one reads by default. */
const USUAL_BYTES = 12_000

/** Beside the text stand the numbers of its lines. */
const textShare = 0.6

/** Whose content is shown as a picture; what it is, its bytes tell. */
const imageName = /\.(?:png|jpe?g|gif|webp)$/i

function imageNote(path: string, result: JsonObject): string {
  const frames = numberIn(result, "frames")
  const parts = [
    `${textIn(result, "media_type")} ${sizeIn(result)}`,
    ...(frames > 1 ? [`the first of ${frames} pictures`] : []),
    ...(isObject(result.scaled) ? [`scaled to ${sizeIn(result.scaled)}`] : []),
  ]
  return `[${path}: ${parts.join(", ")}]`
}

function sizeIn(result: JsonObject): string {
  return `${numberIn(result, "width")}x${numberIn(result, "height")}`
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function numbered(text: string, first: number): string {
  const lines = text.replace(/\n$/, "").split("\n")
  return lines.map((line, index) => `${first + index}\t${line.replace(/\r$/, "")}`).join("\n")
}

function noteOf(
  result: JsonObject,
  { isCut, last }: { isCut: boolean; last: number },
): string | null {
  const total = numberIn(result, "total_lines")
  if (result.next_offset === null) return null

  const cut = isCut
    ? ` Line ${last} is cut: it is too long to be shown whole; bash can show the rest, with cut -c.`
    : ""
  const next = last < total ? ` Read on with offset ${last + 1}.` : ""
  return `[To line ${grouped(last)} of ${grouped(total)}.${cut}${next}]`
}
