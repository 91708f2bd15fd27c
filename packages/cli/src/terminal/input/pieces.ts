import { counted } from "../../text/format.ts"
import { visible } from "../../text/visible.ts"
import { oneLine } from "../../text/width.ts"
import type { SentImage } from "../view/view.ts"

/**
 * What stands in the line as one character with a label: a long text that was pasted, or a file that
 * was dragged in and may turn out to be an image.
 */
export type Piece =
  | { type: "pasted"; text: string }
  | { type: "file"; text: string; image: SentImage | null }

/** The first of the private characters that stand for pieces. */
const firstMark = 0xf_00_00

const marks = /[\u{f0000}-\u{ffffd}]/gu

/** More than so many lines, or characters, are folded into a label. */
const unfolded = { lines: 8, characters: 1_000 }

/** The character that stands for the piece of that number. */
export function markOf(piece: number): string {
  return String.fromCodePoint(firstMark + piece)
}

export function isMark(grapheme: string): boolean {
  const code = grapheme.codePointAt(0) ?? 0
  return code >= firstMark && code <= 0xf_ff_fd
}

/** True for what would fill the line, and for what holds characters that stand for pieces here. */
export function isToBeFolded(text: string): boolean {
  if (text.length > unfolded.characters) return true
  return text.split("\n").length > unfolded.lines || text.search(marks) !== -1
}

/** The text as it is sent: whole, with the name of each image in its place. */
export function wholeText(text: string, pieces: readonly Piece[]): string {
  return text.replace(marks, mark => {
    const piece = pieceAt(mark, pieces)
    if (piece === undefined) return mark
    return piece.type === "file" && piece.image ? labelOf(piece) : piece.text
  })
}

/** The images that the text speaks of, in its order. */
export function imagesIn(text: string, pieces: readonly Piece[]): SentImage[] {
  return [...text.matchAll(marks)].flatMap(([mark]) => {
    const piece = pieceAt(mark, pieces)
    return piece?.type === "file" && piece.image ? [piece.image] : []
  })
}

export function pieceAt(mark: string, pieces: readonly Piece[]): Piece | undefined {
  return pieces[(mark.codePointAt(0) ?? 0) - firstMark]
}

/** `[pasted 2,000 lines]`, `[image shot.png]`. */
export function labelOf(piece: Piece): string {
  if (piece.type === "file") {
    if (piece.image === null) return oneLine(visible(piece.text))
    return `[image ${oneLine(visible(piece.image.name))}]`
  }
  const lines = piece.text.replace(/\n$/, "").split("\n").length
  const size = lines > 1 ? counted(lines, "line") : counted(piece.text.length, "character")
  return `[pasted ${size}]`
}
