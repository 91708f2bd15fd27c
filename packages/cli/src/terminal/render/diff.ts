import { visible } from "../../text/visible.ts"
import type { Look, Styled } from "../contracts.ts"

/** A unified diff as lines. */
export function patchLines(patch: string, { theme }: Look): Styled[] {
  return visible(patch)
    .replace(/\n+$/, "")
    .split("\n")
    .map(line => {
      if (/^(\+\+\+|---|diff |index )/.test(line)) return theme.strong(line)
      if (line.startsWith("@@")) return theme.hunk(line)
      if (line.startsWith("+")) return theme.added(line)
      return line.startsWith("-") ? theme.removed(line) : line
    })
}
