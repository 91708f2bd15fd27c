/** A text with every CRLF seen as one line break, and the way back to its original. */
export interface FlatText {
  readonly original: string
  /** The original with `\n` for every CRLF. */
  readonly text: string
  /** The place in the original of a place in `text`; a place at a CRLF is the one before its CR. */
  toOriginal(place: number): number
  /**
   * The ending for line breaks put in place of `start` to `end`: that of the first break in there,
   * else the one that ends the line, else the one before it, else LF.
   */
  endingFor(start: number, end: number): Ending
}

export type Ending = "\n" | "\r\n"

export function flatten(original: string): FlatText {
  const text = original.replaceAll("\r\n", "\n")
  const places = placesOfCrlf(original)
  const crlf = new Set(places)

  const endingAt = (newline: number): Ending => (crlf.has(newline) ? "\r\n" : "\n")
  return {
    original,
    text,
    toOriginal: place => place + countBelow(places, place),
    endingFor(start, end) {
      const inside = text.indexOf("\n", start)
      if (inside !== -1 && inside < end) return endingAt(inside)

      const after = text.indexOf("\n", end)
      if (after !== -1) return endingAt(after)

      return start === 0 ? "\n" : endingAt(text.lastIndexOf("\n", start - 1))
    },
  }
}

export function withEndings(flat: string, ending: Ending): string {
  return ending === "\n" ? flat : flat.replaceAll("\n", ending)
}

/** Where the CRLFs are, counted as if each was one character. */
function placesOfCrlf(original: string): number[] {
  const places = []
  for (let at = original.indexOf("\r\n"); at !== -1; at = original.indexOf("\r\n", at + 2)) {
    places.push(at - places.length)
  }
  return places
}

/** How many of the ascending numbers are below `bound`. */
function countBelow(ascending: readonly number[], bound: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >> 1
    const value = ascending[middle]
    if (value !== undefined && value < bound) low = middle + 1
    else high = middle
  }
  return low
}
