import { widthOf } from "../../text/width.ts"
import type { Styled, Theme, ThemeStyle } from "../contracts.ts"

/** A piece of text and how it looks. */
export type Span = { text: string; styles: readonly ThemeStyle[] }

/** Spans as one line of the terminal. Styles are closed within it: each line stands by itself. */
export function styledLine(spans: readonly Span[], theme: Theme): Styled {
  return spans
    .map(({ text, styles }) => styles.reduceRight((inner, style) => theme[style](inner), text))
    .join("")
}

/**
 * Breaks a text into lines of at most `columns`, between words where it can, within a longer word
 * where it must. A `\n` always breaks. Spaces at a break are left out, those at a beginning stay.
 */
export function wrapped(spans: readonly Span[], columns: number): Span[][] {
  const most = Math.max(1, columns)
  const lines: Span[][] = []
  let line: Span[] = []
  let width = 0

  const end = () => {
    lines.push(merged(withoutSpacesAtEnd(line)))
    line = []
    width = 0
  }
  const put = (text: string, styles: Span["styles"]) => {
    if (text === "") return
    line.push({ text, styles })
    width += widthOf(text)
  }

  for (const { text, styles } of spans) {
    for (const piece of text.match(/\n| +|[^ \n]+/g) ?? []) {
      if (piece === "\n") end()
      else if (width + widthOf(piece) <= most) put(piece, styles)
      else if (piece.startsWith(" ")) end()
      else {
        // What touches the word before it without a space goes with it, unless it begins the line.
        const carried = width > 0 ? takeWordEnd(line) : []
        if (width > 0 && line.length > 0) {
          end()
          for (const span of carried) put(span.text, span.styles)
        } else {
          line.push(...carried)
        }
        put(piece, styles)
        while (width > most) width = cutOver(lines, line, most)
      }
    }
  }
  if (line.length > 0 || lines.length === 0) end()
  return lines
}

/** Takes from the end of a line what belongs to an unbroken word. */
function takeWordEnd(line: Span[]): Span[] {
  const word: Span[] = []
  for (
    let last = line.at(-1);
    last !== undefined && !last.text.startsWith(" ");
    last = line.at(-1)
  ) {
    word.unshift(last)
    line.pop()
  }
  return word
}

/** Ends a line at `most` columns in the middle of a word; the rest stays in `line`. Returns its width. */
function cutOver(lines: Span[][], line: Span[], most: number): number {
  const whole: Span[] = []
  const rest: Span[] = []
  let left = most
  let isFull = false
  for (const { text, styles } of line) {
    let taken = ""
    let over = ""
    for (const character of text) {
      const columns = widthOf(character)
      // A character that is wider than the whole line stands alone.
      isFull ||= columns > left && left < most
      if (isFull) over += character
      else {
        taken += character
        left -= columns
      }
    }
    if (taken !== "") whole.push({ text: taken, styles })
    if (over !== "") rest.push({ text: over, styles })
  }
  lines.push(merged(whole))
  line.splice(0, line.length, ...rest)
  return rest.reduce((width, { text }) => width + widthOf(text), 0)
}

function withoutSpacesAtEnd(line: readonly Span[]): Span[] {
  const end = line.findLastIndex(({ text }) => text.trim() !== "")
  return line.slice(0, end + 1)
}

/** Neighbours that look the same are one. */
function merged(line: readonly Span[]): Span[] {
  const spans: Span[] = []
  for (const span of line) {
    const last = spans.at(-1)
    if (last?.styles === span.styles) {
      spans[spans.length - 1] = { text: last.text + span.text, styles: span.styles }
    } else {
      spans.push(span)
    }
  }
  return spans
}
