import { visible } from "../../text/visible.ts"
import type { Look, Styled } from "../contracts.ts"

/** Markdown as lines. */
export function markdownLines(markdown: string, _look: Look): Styled[] {
  return visible(markdown).split("\n")
}
