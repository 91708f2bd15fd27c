import { closeSync, fstatSync, openSync, readSync } from "node:fs"
import { inWords } from "../config/errno.ts"
import { counts, parseCounted } from "./counted-records.ts"
import { damagedAt, readRecordLines } from "./record-lines.ts"
import { createSummariser, type Summary } from "./summary.ts"

/** Reads a log for its summary. Never rejects: what is wrong with the log is the summary's fault. */
export async function readSummary(log: string): Promise<Summary> {
  const summariser = createSummariser()
  let damaged: number | null = null
  try {
    const end = await readRecordLines(log, ({ seq, at, type, text }) => {
      if (damaged !== null) return
      const record = counts(type) ? parseCounted(text()) : undefined
      if (record === null) damaged = seq
      else {
        summariser.see({ seq, at })
        if (record !== undefined) summariser.record(record, at)
      }
    })
    return summariser.summary(damaged === null ? end : damagedAt(damaged))
  } catch (error) {
    return summariser.summary({ status: "damaged", reason: inWords(error) })
  }
}

/**
 * What changes when a log does: size, time, inode and the hash of its last record. Null when it is not
 * there or does not end with a record: such a summary is not kept.
 */
export function stateOfLog(log: string): string | null {
  let descriptor: number | undefined
  try {
    descriptor = openSync(log, "r")
    const { size, mtimeMs, ino } = fstatSync(descriptor)
    const end = Buffer.alloc(Math.min(size, endBytes))
    readSync(descriptor, end, 0, end.length, size - end.length)
    const hash = /([0-9a-f]{64})"\}\n$/.exec(end.toString("latin1"))?.[1]
    return hash === undefined ? null : `${size} ${mtimeMs} ${ino} ${hash}`
  } catch {
    return null
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

const endBytes = `${"0".repeat(64)}"}\n`.length
