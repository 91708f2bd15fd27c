import { type FlatText, flatten, withEndings } from "./endings.ts"
import { type NearLine, nearestLines } from "./nearest.ts"

/** What an edit makes of a text. */
export type Replacement =
  | { status: "replaced"; text: string; replaced: number; firstLine: number }
  /** The old text stands at more than one place: the 1-based lines of the first of them. */
  | { status: "ambiguous_match"; found: number; lines: number[] }
  | { status: "no_match"; nearest: NearLine[] }
  /** The new text says what the old one says, at most with other line endings. */
  | { status: "no_change"; firstLine: number }

/** Enough places to see where more context is needed; a count stands beside them. */
const LINES_SHOWN = 20

/**
 * Replaces `oldText` by `newText`. A line break in either stands for the line ending that the text
 * has at that place, LF or CRLF: an edit never changes line endings. Only what differs between the
 * two is touched, so that all other characters of `text` stay as they are.
 */
export function replaceText(
  text: string,
  { oldText, newText, all }: { oldText: string; newText: string; all: boolean },
): Replacement {
  const flat = flatten(text)
  const from = flatten(oldText).text
  const to = flatten(newText).text

  const places = placesOf(flat.text, from)
  const [first] = places
  if (first === undefined) return { status: "no_match", nearest: nearestLines(flat.text, from) }

  if (places.length > 1 && !all) {
    const lines = linesAt(flat.text, places.slice(0, LINES_SHOWN))
    return { status: "ambiguous_match", found: places.length, lines }
  }

  const [firstLine = 1] = linesAt(flat.text, [first])
  if (from === to) return { status: "no_change", firstLine }

  const chosen = apart(places, from.length)
  const edited = splice(flat, chosen, difference(from, to))
  return { status: "replaced", text: edited, replaced: chosen.length, firstLine }
}

/** Every place where `part` begins, overlapping ones too: each of them could have been meant. */
function placesOf(text: string, part: string): number[] {
  const places = []
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) places.push(at)
  return places
}

/** The places from the left that do not overlap. */
function apart(places: readonly number[], length: number): number[] {
  let free = 0
  return places.filter(place => {
    if (place < free) return false
    free = place + length
    return true
  })
}

type Difference = { skip: number; length: number; insert: string }

/** Leaves out what two texts have in common at their beginnings and ends. */
function difference(from: string, to: string): Difference {
  const shorter = Math.min(from.length, to.length)

  let head = 0
  while (head < shorter && from[head] === to[head]) head += 1

  let tail = 0
  while (tail < shorter - head && from[from.length - 1 - tail] === to[to.length - 1 - tail]) {
    tail += 1
  }
  return { skip: head, length: from.length - head - tail, insert: to.slice(head, to.length - tail) }
}

function splice(flat: FlatText, places: readonly number[], change: Difference): string {
  const pieces = []
  let kept = 0
  for (const place of places) {
    const start = place + change.skip
    const end = start + change.length
    pieces.push(flat.original.slice(kept, flat.toOriginal(start)))
    pieces.push(withEndings(change.insert, flat.endingFor(start, end)))
    kept = flat.toOriginal(end)
  }
  pieces.push(flat.original.slice(kept))
  return pieces.join("")
}

/** The 1-based lines of ascending places. */
function linesAt(text: string, places: readonly number[]): number[] {
  let line = 1
  let newline = text.indexOf("\n")
  return places.map(place => {
    while (newline !== -1 && newline < place) {
      line += 1
      newline = text.indexOf("\n", newline + 1)
    }
    return line
  })
}
