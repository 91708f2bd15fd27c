import { z } from "@harness/sdk"
import type { PathTest } from "../text/glob.ts"
import { decodeLossy } from "../text/utf8.ts"
import { shortened } from "../text/words.ts"
import { type FileLines, withoutEnding } from "./shown-lines.ts"

/** A line that matches, with its neighbours when they were asked for. */
export type Match = {
  path: string
  line: number
  text: string
  before?: string[]
  after?: string[]
}

/** A line of minified code must not fill the result. */
const TEXT_CHARACTERS = 400

/** What of a long line stands before the match. */
const LEAD_CHARACTERS = 80

const Text = z.union([z.object({ text: z.string() }), z.object({ bytes: z.string() })])

const Line = z.object({
  path: Text,
  lines: Text,
  line_number: z.int().nullable(),
  submatches: z.array(z.object({ start: z.int() })),
})

/** One line of what `rg --json` prints. */
const Record = z.discriminatedUnion("type", [
  z.object({ type: z.literal("begin") }),
  z.object({ type: z.literal("match"), data: Line }),
  z.object({ type: z.literal("context"), data: Line }),
  z.object({ type: z.literal("end") }),
  z.object({ type: z.literal("summary") }),
])

type Found = { isMatch: boolean; path: string; line: number; text: string }

export type Matches = {
  matches: Match[]
  more: boolean
  /** Files whose lines changed while they were searched, or that turned out not to be theirs. */
  changed: number
  /** Files with matches that are too large to be shown. */
  tooLarge: string[]
}

export type MatchOptions = {
  wants: PathTest
  context: number
  limit: number
  /** What is in the file now. */
  linesOf(path: string): Promise<FileLines>
}

/** Reads ripgrep's records into matches, each compared with its file; stops after `limit` of them. */
export async function matchesFrom(
  records: AsyncIterable<string>,
  { wants, context, limit, linesOf }: MatchOptions,
): Promise<Matches> {
  const found: Found[] = []
  const changed = new Set<string>()
  const tooLarge: string[] = []
  let current: string | null = null
  let lines: FileLines = { status: "unseen" }
  let matching = 0
  const result = (more: boolean): Matches => ({
    matches: gathered(found, context),
    more,
    changed: changed.size,
    tooLarge,
  })

  for await (const text of records) {
    const record = Record.parse(JSON.parse(text))
    if (record.type !== "match" && record.type !== "context") continue

    const path = pathOf(record.data)
    if (!wants(path)) continue
    if (path !== current) {
      current = path
      lines = await linesOf(path)
      if (lines.status === "too_large") tooLarge.push(path)
      if (lines.status === "unseen") changed.add(path)
    }
    if (lines.status !== "lines") continue

    const line = record.data.line_number ?? 0
    const content = withoutEnding(textOf(record.data.lines))
    if (lines.at(line) !== content) {
      changed.add(path)
      continue
    }

    const isMatch = record.type === "match"
    if (isMatch && matching === limit) return result(true)
    if (isMatch) matching += 1
    found.push({
      isMatch,
      path,
      line,
      text: around(content, record.data.submatches[0]?.start ?? 0),
    })
  }
  return result(false)
}

function pathOf({ path }: z.output<typeof Line>): string {
  return textOf(path).replace(/^\.\//, "")
}

/** Of what is not UTF-8 ripgrep gives the bytes. */
function textOf(text: z.output<typeof Text>): string {
  return "text" in text ? text.text : decodeLossy(Buffer.from(text.bytes, "base64"))
}

/** The piece of a long line that shows the match; `start` counts bytes, which is near enough. */
function around(content: string, start: number): string {
  if (content.length <= TEXT_CHARACTERS) return content

  const from = Math.min(Math.max(start - LEAD_CHARACTERS, 0), content.length - TEXT_CHARACTERS)
  const piece = content.slice(from).replace(/^[\uDC00-\uDFFF]/, "")
  return from === 0
    ? shortened(piece, TEXT_CHARACTERS)
    : `…${shortened(piece, TEXT_CHARACTERS - 1)}`
}

function gathered(found: readonly Found[], context: number): Match[] {
  return found.flatMap((entry, index) => {
    if (!entry.isMatch) return []

    const { path, line, text } = entry
    if (context === 0) return [{ path, line, text }]

    const before = neighbours(found.slice(Math.max(index - context, 0), index), entry)
    const after = neighbours(found.slice(index + 1, index + 1 + context), entry)
    return [{ path, line, text, before, after }]
  })

  function neighbours(lines: readonly Found[], { path, line }: Found): string[] {
    return lines
      .filter(near => near.path === path && Math.abs(near.line - line) <= context)
      .map(near => near.text)
  }
}
