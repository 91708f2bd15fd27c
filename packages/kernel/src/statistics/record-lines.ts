import { open } from "node:fs/promises"

/** A line of a log whose beginning is that of a record. */
export type RecordLine = {
  seq: number
  /** An ISO date. */
  at: string
  type: string
  /** The whole line, as it is stored. */
  text: () => string
}

/** How far a log could be read, and what is wrong there, as the end of a sentence. */
export type ReadToEnd = { status: "whole" } | { status: "torn" | "damaged"; reason: string }

/**
 * Reads a log line by line without parsing it: of a record only its number, date and type are looked
 * at. Where it cannot go on it returns: `torn` when the last record is not there to its end, which is
 * no damage. The chain of hashes is not walked; `harness audit` does that.
 */
export async function readRecordLines(
  file: string,
  take: (line: RecordLine) => void,
): Promise<ReadToEnd> {
  const handle = await open(file, "r")
  try {
    let records = 0
    /** What was read of a line whose end was not. */
    let begun: Buffer[] = []
    for (;;) {
      const chunk = Buffer.allocUnsafe(chunkBytes)
      const { bytesRead } = await handle.read(chunk, 0, chunkBytes)
      if (bytesRead === 0) break

      const read = chunk.subarray(0, bytesRead)
      if (!read.includes(lineFeed)) {
        begun.push(read)
        continue
      }
      const bytes = begun.length === 0 ? read : Buffer.concat([...begun, read])
      let from = 0
      for (let to = bytes.indexOf(lineFeed); to >= 0; to = bytes.indexOf(lineFeed, from)) {
        const line = lineOf(bytes, from, to)
        if (line?.seq !== records + 1) return damagedAt(records + 1)
        records += 1
        take(line)
        from = to + 1
      }
      begun = from === bytes.length ? [] : [bytes.subarray(from)]
    }
    if (begun.length === 0) return { status: "whole" }
    return { status: "torn", reason: `the record after ${records} was not written to its end` }
  } finally {
    await handle.close()
  }
}

export function damagedAt(record: number): ReadToEnd {
  return { status: "damaged", reason: `record ${record} is damaged` }
}

const chunkBytes = 256 * 1_024
const lineFeed = 0x0a

/** A record begins with its number, its date and its type. */
const beginning = /^\{"seq":(\d{1,15}),"at":"(\d{4}-\d\d-\d\dT[^"]{1,20})","type":"(\w{1,60})"/
const beginningBytes = 140

function lineOf(bytes: Buffer, from: number, to: number): RecordLine | null {
  const head = bytes.toString("latin1", from, Math.min(to, from + beginningBytes))
  const [, seq, at, type] = beginning.exec(head) ?? []
  if (seq === undefined || at === undefined || type === undefined) return null
  return { seq: Number(seq), at, type, text: () => bytes.toString("utf8", from, to) }
}
