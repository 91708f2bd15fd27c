import type { ActionContext, JsonObject } from "@harness/sdk"
import { outputOf } from "./paths.ts"
import { refusal } from "./refusals.ts"
import { countLines, lineRange } from "./text/lines.ts"
import { MARGIN_BYTES, wholeCharacters } from "./text/utf8.ts"
import { counted } from "./text/words.ts"

/** A part of a file or an output, cut between characters. */
export type Part = {
  status: "part"
  path: string
  bytes: Uint8Array
  offset: number
  size: number
  /** Of the whole file; outputs have none. */
  sha256: string | null
  position?: { first_line: number; last_line: number; total_lines: number }
}

export type PartOrError = Part | { status: "error"; result: JsonObject }

type Content = Omit<Part, "position" | "status"> & { status: "content" }
type ContentOrError = Content | { status: "error"; result: JsonObject }

/** To find a line, all before it is read: in larger files parts are found by offset. */
const LINES_FROM_BYTES = 16 * 1_048_576

/** One page of an output whose lines are looked for. */
const PAGE_BYTES = 64_000

/** At most `limitBytes` from a byte; a character that `offset` points into is left out. */
export async function partByBytes(
  path: string,
  { offset, limitBytes }: { offset: number; limitBytes: number },
  context: ActionContext,
): Promise<PartOrError> {
  const content = await window(path, { offset, limitBytes: limitBytes + MARGIN_BYTES }, context)
  if (content.status === "error") return content

  const range = wholeCharacters(content.bytes, { limitBytes, continues: offset > 0 })
  return {
    ...content,
    status: "part",
    bytes: content.bytes.subarray(range.start, range.end),
    offset: content.offset + range.start,
  }
}

/** At most `lines` lines, as many as fit in `limitBytes`, from a 1-based line. */
export async function partByLines(
  path: string,
  wanted: { line: number; lines: number; limitBytes: number },
  context: ActionContext,
): Promise<PartOrError> {
  const content = outputOf(path) === null ? await whole(path, context) : await paged(path, context)
  if (content.status === "error") return content

  const total = countLines(content.bytes)
  if (wanted.line > Math.max(total, 1)) {
    const message = `${path} has ${counted(total, "line")}: there is no line ${wanted.line}. Read from a line up to ${total}.`
    return errorOf({ error: "no_such_line", path, line: wanted.line, total_lines: total, message })
  }

  const range = lineRange(content.bytes, wanted)
  return {
    ...content,
    status: "part",
    bytes: content.bytes.subarray(range.start, range.end),
    offset: range.start,
    position: { first_line: range.firstLine, last_line: range.lastLine, total_lines: total },
  }
}

async function window(
  path: string,
  options: { offset: number; limitBytes: number },
  { files, outputs }: ActionContext,
): Promise<ContentOrError> {
  if (outputOf(path) !== null) {
    const page = await outputs.read(path, options)
    if (page.status === "refused") return outputRefused(path, page)
    return { ...page, status: "content", path, sha256: null }
  }

  const found = await files.window(path, options)
  if (found.status === "refused") return errorOf(await refusal(found, files))
  return { ...found, status: "content" }
}

async function whole(path: string, { files }: ActionContext): Promise<ContentOrError> {
  const found = await files.read(path, { limitBytes: LINES_FROM_BYTES })
  if (found.status === "refused") return errorOf(await refusal(found, files))

  const { bytes, sha256 } = found
  return { status: "content", path: found.path, bytes, offset: 0, size: bytes.length, sha256 }
}

/** A whole output: what is kept of one is bounded by the worker. */
async function paged(path: string, { outputs, signal }: ActionContext): Promise<ContentOrError> {
  const pages: Uint8Array[] = []
  let offset = 0
  for (;;) {
    signal.throwIfAborted()
    const page = await outputs.read(path, { offset, limitBytes: PAGE_BYTES })
    if (page.status === "refused") return outputRefused(path, page)

    pages.push(page.bytes)
    offset += page.bytes.length
    if (page.bytes.length === 0 || offset >= page.size) break
  }
  const bytes = Buffer.concat(pages)
  return { status: "content", path, bytes, offset: 0, size: bytes.length, sha256: null }
}

function outputRefused(path: string, { error, message }: { error: string; message: string }) {
  const next = "Take the output_id of a result of this conversation."
  return errorOf({ error, path, message: `${message} ${next}` })
}

function errorOf(result: JsonObject): { status: "error"; result: JsonObject } {
  return { status: "error", result }
}
