/** Markdown that can be printed for good. */
export type MarkdownPart = { markdown: string; begins: boolean }

/** Streamed text, taken apart. */
export type TakenText = {
  parts: MarkdownPart[]
  rest: string
  /** True when `rest` goes on in the middle of a block whose beginning is among the parts. */
  continues: boolean
}

/** A block that has more lines than this is printed in pieces. */
const pieceLines = 12

/** A table's columns are as wide as its widest cell: it is held back longer. */
const tableLines = 100

/**
 * Takes from the beginning of streamed Markdown what no later text changes: blocks that ended, and of
 * long ones the lines so far, each part Markdown by itself (a piece of a code block has its own fences).
 *
 * @example
 * finishedParts("One.\n\nTwo", false) // { parts: [{ markdown: "One.", begins: true }], rest: "Two", continues: false }
 */
export function finishedParts(text: string, continues: boolean): TakenText {
  const lines = text.split("\n")
  const open = lines.pop() ?? ""
  const reader = blockReader(continues)
  for (const line of lines) reader.line(line)
  reader.beginning(open)
  return reader.taken(open)
}

/** What is left when no more text comes; nothing when it is only a fence that was opened again. */
export function lastParts(text: string, continues: boolean): MarkdownPart[] {
  const { parts, rest, continues: goesOn } = finishedParts(`${text}\n`, continues)
  const isShell = goesOn && fenceOf(rest.trim()) !== null && !rest.trim().includes("\n")
  if (rest.trim() === "" || isShell) return parts
  return [...parts, { markdown: rest.replace(/\n+$/, ""), begins: !goesOn }]
}

type Fence = { mark: string; opening: string; atStart: boolean }

function blockReader(continues: boolean) {
  const parts: MarkdownPart[] = []
  let block: string[] = []
  let fence: Fence | null = null
  let goesOn = continues

  function end(next: { goesOn: boolean }): void {
    const markdown = block.join("\n").replace(/\n+$/, "")
    const isShell = goesOn && block.length === 2 && fenceOf(block[0] ?? "") !== null
    if (markdown !== "" && !isShell) parts.push({ markdown, begins: !goesOn })
    block = []
    goesOn = next.goesOn
  }

  function lineInFence(line: string, { mark, opening, atStart }: Fence): void {
    block.push(line)
    if (line.trim().startsWith(mark) && line.trim().replaceAll(mark.charAt(0), "") === "") {
      fence = null
      if (atStart) end({ goesOn: false })
      return
    }
    if (!atStart || block.length <= pieceLines) return
    block.push(mark)
    end({ goesOn: true })
    block.push(opening)
  }

  /** A line that is not indented after an empty one begins another block. */
  function beginning(line: string): void {
    if (fence === null && block.at(-1) === "" && /^\S/.test(line)) end({ goesOn: false })
  }

  return {
    beginning,

    line(line: string): void {
      if (fence !== null) {
        lineInFence(line, fence)
        return
      }
      if (line.trim() === "") {
        if (block.length > 0) block.push("")
        return
      }
      beginning(line)

      const opened = fenceOf(line)
      if (opened?.atStart && block.length > 0) end({ goesOn: false })
      const most = line.startsWith("|") ? tableLines : pieceLines
      if (opened === null && block.length >= most) end({ goesOn: true })
      fence = opened
      block.push(line)
    },

    taken(open: string): TakenText {
      return { parts, rest: [...block, open].join("\n"), continues: goesOn }
    },
  }
}

function fenceOf(line: string): Fence | null {
  const [, indent = "", mark = ""] = /^( *)(`{3,}|~{3,})/.exec(line) ?? []
  return mark === "" ? null : { mark, opening: line, atStart: indent === "" }
}
