import { hash } from "node:crypto"

/**
 * The chain of a log. A line is the event as JSON with one more key at its end:
 *
 *     {"seq":1,"at":"…","type":"…",…,"hash":"<64 hexadecimal digits>"}
 *
 * The hash is sha256(the hash before, as text + the line without `,"hash":"…"` and without its line
 * feed), over the bytes as they are stored: placeholders in, paths out. The hash before the first
 * record is sha256(the conversation's id), so that a log cannot pass for another conversation's.
 */
export function startOfChain(conversation: string): string {
  return sha256(conversation)
}

/** The hash that follows `before` when `content`, an event as JSON, is appended. */
export function nextHash(before: string, content: string): string {
  return sha256(before + content)
}

/** The line that is stored, with its line feed. */
export function chainedLine(content: string, hashOfContent: string): string {
  return `${content.slice(0, -1)},"hash":"${hashOfContent}"}\n`
}

/** The records of a log's bytes, or the first one that does not hold. */
export type Walk =
  | {
      status: "holds"
      /** The lines without their hashes, each the JSON of an event with placeholders. */
      contents: string[]
      head: string
      /** The head after each number of records, the one before the first included. */
      heads: string[]
      /** Bytes up to the last line feed. */
      wholeBytes: number
      /** Bytes after it: a record whose writing was cut off. */
      tornBytes: number
    }
  | { status: "damaged"; record: number; reason: string; contents: string[]; heads: string[] }

/** Walks a log from its start. Every byte of a whole line is covered: by its hash or its form. */
export function walkChain(log: Buffer, conversation: string): Walk {
  const contents: string[] = []
  const heads = [startOfChain(conversation)]
  let head = heads[0] ?? ""
  let from = 0
  const damaged = (reason: string): Walk => {
    return { status: "damaged", record: contents.length + 1, reason, contents, heads }
  }
  for (let to = log.indexOf(lineFeed); to >= 0; to = log.indexOf(lineFeed, from)) {
    const end = to - suffixBytes
    const suffix = suffixForm.exec(log.toString("latin1", Math.max(from, end), to))
    if (end <= from || suffix?.[1] === undefined) {
      return damaged("it does not end with a hash")
    }

    const content = Buffer.concat([log.subarray(from, end), closingBrace])
    const expected = hash("sha256", Buffer.concat([Buffer.from(head), content]))
    if (expected !== suffix[1]) {
      return damaged("its hash does not follow from the one before")
    }
    contents.push(content.toString())
    head = expected
    heads.push(head)
    from = to + 1
  }
  const tornBytes = log.length - from
  return { status: "holds", contents, head, heads, wholeBytes: from, tornBytes }
}

const lineFeed = 0x0a
const closingBrace = Buffer.from("}")
const suffixForm = /^,"hash":"([0-9a-f]{64})"\}$/
const suffixBytes = `,"hash":"${"0".repeat(64)}"}`.length

function sha256(text: string): string {
  return hash("sha256", text)
}
