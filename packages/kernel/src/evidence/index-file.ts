import { appendFileSync, mkdirSync, readFileSync, statSync, truncateSync } from "node:fs"
import { join } from "node:path"
import { type DurableEvent, failure } from "@harness/protocol"
import { errnoOf, inWords } from "../config/errno.ts"
import { indexOf } from "./index-lines.ts"

/** `index.jsonl` of a folder of evidence. */
export interface IndexFile {
  readonly file: string
  /**
   * Appends a whole line. Throws `log_unwritable`; what could not be written is written before the
   * next line.
   */
  append(line: string): void
  /** Its text; empty when there is none. */
  read(): string
}

export function openIndex(folder: string): IndexFile {
  const file = join(folder, "index.jsonl")
  let size: number | undefined
  let unwritten = ""

  return {
    file,
    read: () => textOf(file, "utf8"),
    append(line) {
      unwritten += line
      try {
        size ??= prepared(folder, file)
        appendFileSync(file, unwritten, { mode: 0o600 })
        size += Buffer.byteLength(unwritten)
        unwritten = ""
      } catch (error) {
        cutBack(file, size)
        throw failure("log_unwritable", { file, reason: inWords(error) }, { cause: error })
      }
    },
  }
}

/**
 * Writes the end that a crash kept from the index. One that says anything else than the log is left
 * as it is, for an audit to find.
 */
export function completeIndex(folder: string, events: readonly DurableEvent[]): void {
  const wanted = indexOf(events).join("")
  const index = openIndex(folder)
  const found = index.read()
  const whole = found.slice(0, found.lastIndexOf("\n") + 1)
  if (wanted.startsWith(whole) && wanted.length > whole.length) {
    index.append(wanted.slice(whole.length))
  }
}

/** Its size, without a line that a crash cut off: the next one must not be glued to it. */
function prepared(folder: string, file: string): number {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const text = textOf(file, "latin1")
  const whole = text.lastIndexOf("\n") + 1
  if (whole < text.length) truncateSync(file, whole)
  return whole
}

function cutBack(file: string, size: number | undefined): void {
  const found = statSync(file, { throwIfNoEntry: false })
  if (size !== undefined && found !== undefined && found.size > size) truncateSync(file, size)
}

/** In latin1 a character is a byte. */
function textOf(file: string, encoding: "utf8" | "latin1"): string {
  try {
    return readFileSync(file, encoding)
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return ""
    throw error
  }
}
