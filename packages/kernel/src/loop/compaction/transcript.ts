import type { AssistantMessage, Message } from "@harness/protocol"

/** The beginning of a long text that is shown in its place. */
const headCharacters = 160

/**
 * Messages as one text, for a model that summarises what its window cannot hold any more. It is cut
 * to the limit: the oldest results first, then what calls were given, each with a mark and the names
 * of its outputs; then the oldest messages go, but not the first, which says what is asked.
 */
export function transcriptOf(
  messages: readonly Message[],
  options: {
    limitBytes: number
    outputsOfCall: ReadonlyMap<string, readonly string[]>
  },
): string {
  const { limitBytes } = options
  const pieces = messages.flatMap(message => piecesOf(message, options.outputsOfCall))
  let bytes = pieces.reduce((sum, { text }) => sum + sizeOf(text), 0)

  for (const kind of ["result", "call", "said"] as const) {
    for (const [index, piece] of pieces.entries()) {
      if (bytes <= limitBytes) break
      if (piece.kind !== kind || piece.short === null || (kind === "said" && index === 0)) continue
      bytes += sizeOf(piece.short) - sizeOf(piece.text)
      piece.text = piece.short
    }
  }
  return withoutOldest(pieces, bytes, limitBytes)
}

type Piece = {
  kind: "said" | "call" | "result"
  text: string
  /** What stands in its place; null when it is short. */
  short: string | null
}

function piecesOf(
  message: Message,
  outputsOfCall: ReadonlyMap<string, readonly string[]>,
): Piece[] {
  if (message.role === "assistant") return piecesOfModel(message)
  if (message.role === "user") {
    const texts = message.content.map(part => (part.type === "text" ? part.text : "[an image]"))
    return [pieceOf("said", "user:", texts.join("\n\n"))]
  }
  return message.content.map(result => {
    const outputs = outputsOfCall.get(result.call_id) ?? []
    const more = outputs.length > 0 ? `; all of it is in ${outputs.join(", ")}` : ""
    return pieceOf("result", `result of ${result.tool} (${result.status}):`, result.text, more)
  })
}

function piecesOfModel({ content }: AssistantMessage): Piece[] {
  return content.flatMap(part => {
    if (part.type === "text") return [pieceOf("said", "you:", part.text)]
    if (part.type === "call") return [pieceOf("call", `you called ${part.tool}:`, part.arguments)]
    return []
  })
}

function pieceOf(kind: Piece["kind"], title: string, text: string, more = ""): Piece {
  const whole = `${title}\n${text.trim()}\n`
  const head = text.trim().slice(0, headCharacters)
  const left = Buffer.byteLength(text) - Buffer.byteLength(head)
  const short = `${title}\n${head}\n[${left} more bytes are left out here${more}]\n`
  return { kind, text: whole, short: sizeOf(short) < sizeOf(whole) ? short : null }
}

function withoutOldest(pieces: readonly Piece[], bytes: number, limitBytes: number): string {
  const [first, ...rest] = pieces
  if (first === undefined) return ""

  const mark = (count: number) => `[${count} messages and results are left out here]\n`
  let left = bytes
  let gone = 0
  while (gone < rest.length && left + sizeOf(mark(gone)) > limitBytes) {
    left -= sizeOf(rest[gone]?.text ?? "")
    gone += 1
  }
  const kept = rest.slice(gone).map(({ text }) => text)
  const texts = [first.text, ...(gone > 0 ? [mark(gone)] : []), ...kept]
  return headOf(texts.join("\n"), limitBytes)
}

/** One message alone can be too much. */
function headOf(text: string, limitBytes: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= limitBytes) return text
  const mark = "\n[the rest is left out here]"
  const end = Math.max(0, limitBytes - Buffer.byteLength(mark))
  return (
    bytes
      .subarray(0, end)
      .toString("utf8")
      .replace(/\uFFFD+$/, "") + mark
  )
}

function sizeOf(text: string): number {
  return Buffer.byteLength(text) + 1
}
