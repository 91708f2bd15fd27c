import { visible } from "../../text/visible.ts"
import type { Look, Styled } from "../contracts.ts"
import { styledLine } from "./spans.ts"

/** A source as lines, coloured where its language is known; lines are never broken. */
export function sourceLines(source: string, language: string, { theme }: Look): Styled[] {
  const text = visible(source).replace(/\n+$/, "").replaceAll("\t", tab)
  return theme.highlight(text, language).map(line => styledLine(line, theme))
}

/** As wide in every terminal, wherever the line begins. */
const tab = "    "
