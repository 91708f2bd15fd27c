import { z } from "@harness/sdk"
import type { PathTest } from "../text/glob.ts"
import { shortened } from "../text/words.ts"

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

/** Reads ripgrep's records into matches; stops after `limit` of them. */
export async function matchesFrom(
  records: AsyncIterable<string>,
  { wants, context, limit }: { wants: PathTest; context: number; limit: number },
): Promise<{ matches: Match[]; more: boolean }> {
  const found: Found[] = []
  let matching = 0
  for await (const text of records) {
    const record = Record.parse(JSON.parse(text))
    if (record.type !== "match" && record.type !== "context") continue

    const line = foundIn(record.data, record.type === "match")
    if (!wants(line.path)) continue
    if (line.isMatch && matching === limit) return { matches: gathered(found, context), more: true }

    if (line.isMatch) matching += 1
    found.push(line)
  }
  return { matches: gathered(found, context), more: false }
}

function foundIn(line: z.output<typeof Line>, isMatch: boolean): Found {
  const content = textOf(line.lines).replace(/\r?\n$/, "")
  return {
    isMatch,
    path: textOf(line.path).replace(/^\.\//, ""),
    line: line.line_number ?? 0,
    text: around(content, line.submatches[0]?.start ?? 0),
  }
}

/** Of what is not UTF-8 ripgrep gives the bytes. */
function textOf(text: z.output<typeof Text>): string {
  if ("text" in text) return text.text
  return new TextDecoder().decode(Buffer.from(text.bytes, "base64"))
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
