import { visible } from "../../text/visible.ts"
import type { Look, Styled } from "../contracts.ts"

/** A program's source as lines. */
export function sourceLines(source: string, _language: string, _look: Look): Styled[] {
  return visible(source).replace(/\n+$/, "").split("\n")
}
