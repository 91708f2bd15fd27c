import { counted } from "../../text/format.ts"
import { permitLines } from "../../text/permits.ts"
import { ruleInWords } from "../../text/rules.ts"
import { oneLine } from "../../text/width.ts"
import type { Look, Styled } from "../contracts.ts"
import { patchLines } from "../render/diff.ts"
import { sourceLines } from "../render/source.ts"
import type { WaitingRequest } from "../view/view.ts"
import { commandLines } from "./command-facts.ts"
import { exactly, exactlyDiff } from "./exact.ts"

/** What a person is to see before they decide, and where its parts begin. */
export type Shown = {
  lines: readonly Styled[]
  /** Indexes of the lines that begin a hunk. */
  hunks: readonly number[]
}

/** All of a request for leave: what is wanted and why, what rules do not cover, what would happen. */
export function shownRequest(
  { opened, preview, program, proposal }: WaitingRequest,
  look: Look,
): Shown {
  const { theme } = look
  const wanted = permitLines(opened.permits).map(line => theme.warning(exactly(line)))
  const uncovered = opened.offer?.uncovered ?? opened.uncovered ?? []
  const notCovered = uncovered.map(command =>
    theme.warning(`no rule covers: ${oneLine(exactly(command))}`),
  )
  const inProgram = proposal !== null && program !== null
  const where = inProgram ? [theme.muted(`in the middle of program ${program.program}`)] : []
  const before = [...where, ...wanted, ...notCovered]
  return under(before, shownPreview(preview, program?.language ?? "python", look))
}

/** Lines above others. */
export function under(before: readonly Styled[], { lines, hunks }: Shown): Shown {
  return {
    lines: [...before, ...lines],
    hunks: hunks.map(index => index + before.length),
  }
}

function shownPreview(preview: WaitingRequest["preview"], language: string, look: Look): Shown {
  switch (preview.format) {
    case "diff":
      return shownPatch(preview.text, look)
    case "command":
      return { lines: commandLines(preview, look), hunks: [] }
    case "source":
      return { lines: sourceLines(exactly(preview.text), language, look), hunks: [] }
    case "text":
      return { lines: exactly(preview.text).replace(/\n+$/, "").split("\n"), hunks: [] }
  }
}

/** A unified diff; for a screen reader in words instead of signs. */
export function shownPatch(patch: string, look: Look): Shown {
  const text = exactlyDiff(patch)
  const plain = text.replace(/\n+$/, "").split("\n")
  const hunks = plain.flatMap((line, index) => (line.startsWith("@@") ? [index] : []))
  if (!look.theme.screenReader) return { lines: patchLines(text, look), hunks }

  let hunk = 0
  const lines = plain.map((line, index) => {
    if (line.startsWith("@@")) hunk += 1
    return inWords(line, {
      isHead: index < (hunks[0] ?? 0),
      hunk: `hunk ${hunk} of ${hunks.length}`,
    })
  })
  return { lines, hunks }
}

function inWords(line: string, { isHead, hunk }: { isHead: boolean; hunk: string }): string {
  if (isHead || line.startsWith("\\")) return line
  if (line.startsWith("@@")) return `${hunk}: ${line}`
  if (line.startsWith("+")) return `added: ${line.slice(1)}`
  return line.startsWith("-") ? `removed: ${line.slice(1)}` : `same: ${line.slice(1)}`
}

/** The rules that "allow this kind of thing" would save, each whole. */
export function shownRules({ opened }: WaitingRequest, { theme }: Look): Shown {
  const rules = opened.offer?.rules ?? []
  const head = `${counted(rules.length, "rule")} would be saved:`
  return {
    lines: [theme.strong(head), ...rules.map(rule => `  ${exactly(ruleInWords(rule))}`)],
    hunks: [],
  }
}
