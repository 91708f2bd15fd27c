import { visible } from "../../text/visible.ts"
import type { Look, Styled, Theme } from "../contracts.ts"
import { styledLine } from "./spans.ts"

/**
 * A unified diff as lines. The sign and what was removed have the colours of a diff; what stays or
 * comes has those of its language, which the name of the file tells. Trailing spaces and `\r` stay:
 * they may be the change.
 */
export function patchLines(patch: string, { theme }: Look): Styled[] {
  const lines: Styled[] = []
  let language = ""
  let hunk: string[] = []
  const endHunk = () => {
    lines.push(...hunkLines(hunk, language, theme))
    hunk = []
  }

  let left = { before: 0, after: 0 }
  for (const line of visible(patch).replace(/\n+$/, "").split("\n")) {
    if (left.before > 0 || left.after > 0 || line.startsWith("\\")) {
      hunk.push(line)
      if (!line.startsWith("+") && !line.startsWith("\\")) left.before -= 1
      if (!line.startsWith("-") && !line.startsWith("\\")) left.after -= 1
      continue
    }
    endHunk()
    left = hunkSize(line)
    language = languageOf(line) ?? language
    lines.push(line.startsWith("@@") ? theme.hunk(line) : headLine(line, theme))
  }
  endHunk()
  return lines
}

/** How many lines follow a hunk's own; none follow another line. */
function hunkSize(line: string): { before: number; after: number } {
  const [, before = "1", after = "1"] = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line) ?? []
  return line.startsWith("@@") ? { before: Number(before), after: Number(after) } : none
}

const none = { before: 0, after: 0 }

function headLine(line: string, theme: Theme): Styled {
  return /^(\+\+\+|---|diff |index |=====)/.test(line) ? theme.strong(line) : line
}

/** By the end of the file's name, or by the whole name: `Makefile`. */
function languageOf(line: string): string | undefined {
  const name = /^(?:\+\+\+|---) (?:[ab]\/)?(?:.*\/)?([^/\t]+)/.exec(line)?.[1]
  return name === undefined || name === "null" ? undefined : name.replace(/^.*\./, "")
}

/** A longer hunk has the colours of a diff alone: it would hold up the person for half a second. */
const mostHighlighted = 400

/** What stays and what comes is coloured as a whole: what begins in one line can end in another. */
function hunkLines(hunk: readonly string[], name: string, theme: Theme): Styled[] {
  const language = hunk.length > mostHighlighted ? "" : name
  const after = hunk.filter(line => line.startsWith("+") || line.startsWith(" ") || line === "")
  const coloured = theme.highlight(after.map(line => line.slice(1)).join("\n"), language)
  let at = 0
  return hunk.map(line => {
    if (line.startsWith("-")) return theme.removed(line)
    if (line.startsWith("\\")) return theme.muted(line)
    const text = styledLine(coloured[at] ?? [], theme)
    at += 1
    return line.startsWith("+") ? theme.added("+") + text : line.slice(0, 1) + text
  })
}
