import { visible } from "../../text/visible.ts"
import { widthOf } from "../../text/width.ts"

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" })

/** A character as a person sees it, and where it stands. */
export type Grapheme = { at: number; text: string }

export function graphemesOf(text: string): Grapheme[] {
  return Array.from(segmenter.segment(text), ({ index, segment }) => ({ at: index, text: segment }))
}

/** The place itself, or the next one after it that is not within a character. */
export function boundaryFrom(text: string, at: number): number {
  if (at <= 0) return 0
  if (at >= text.length) return text.length
  const around = segmenter.segment(text).containing(at)
  if (around === undefined || around.index === at) return at
  return around.index + around.segment.length
}

export function boundaryBefore(text: string, at: number): number {
  return segmenter.segment(text).containing(at - 1)?.index ?? 0
}

export function boundaryAfter(text: string, at: number): number {
  const next = segmenter.segment(text).containing(at)
  return next === undefined ? text.length : next.index + next.segment.length
}

/** What a terminal shows of a character: nothing of it is obeyed. */
export function shownOf(grapheme: string): string {
  return grapheme === "\t" ? "    " : visible(grapheme)
}

/** Columns of one character: an emoji takes two, of however many code points it is made. */
export function graphemeWidth(grapheme: string): number {
  return emoji.test(grapheme) ? 2 : widthOf(grapheme)
}

const emoji = /\p{Emoji_Presentation}|\ufe0f/u
