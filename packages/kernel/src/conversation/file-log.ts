import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs"
import { dirname } from "node:path"
import { DurableEvent, type EventBody, failure } from "@harness/protocol"
import type { ConversationLog } from "@harness/sdk"
import * as z from "zod"
import { inWords } from "../config/errno.ts"
import { chainedLine, nextHash, type Walk, walkChain } from "./chain.ts"
import type { ConversationLock } from "./lock.ts"
import { createPlaceholders, type Placeholders, type Places } from "./placeholders.ts"

export type FileLogOptions = {
  /** The path of `log.jsonl`; its folder must exist. */
  file: string
  conversation: string
  lock: ConversationLock
  places: Places
  /** Milliseconds since 1970. */
  now: () => number
}

export type OpenedLog = {
  log: ConversationLog
  /** What the caller must put on record: that the last record was torn and is cut off. */
  notices: EventBody[]
}

/**
 * Opens the log of a conversation in a file of JSON lines (see chain.ts), or begins one. A last
 * line without its end is cut off, which is told in `notices`; nothing else of the file is changed.
 * Throws `log_damaged` when the chain does not hold, and `log_unwritable`.
 *
 * One append is one write of whole lines at the end of the file. When it fails, the file is cut back
 * to what it was. When the file is not as long as this log left it, somebody else wrote to it.
 *
 * @example
 * const lock = lockConversation({ folder, conversation })
 * const { log, notices } = openFileLog({ file, conversation, lock, places, now: Date.now })
 * log.append(notices, { sync: false })
 */
export function openFileLog(options: FileLogOptions): OpenedLog {
  const { file, lock, now } = options
  const placeholders = createPlaceholders(options.places)
  const descriptor = open(file)

  let size: number
  let seq: number
  let head: string
  const notices: EventBody[] = []
  try {
    const found = walked(readAll(descriptor), options)
    if (found.tornBytes > 0) {
      ftruncateSync(descriptor, found.wholeBytes)
      notices.push(cutOff(found))
    }
    size = found.wholeBytes
    seq = found.contents.length
    head = found.head
  } catch (error) {
    closeSync(descriptor)
    throw error
  }

  let closed = false
  let broken = false
  let folderSynced = size > 0

  function append(bodies: readonly EventBody[], { sync }: { sync: boolean }): DurableEvent[] {
    if (closed || broken)
      throw unwritable(file, closed ? "it is closed" : "an earlier write failed")
    if (!lock.held()) lock.refuse()
    if (fstatSync(descriptor).size !== size) {
      throw failure("log_damaged", { file, record: seq + 1, reason: "something else wrote to it" })
    }

    const at = new Date(now()).toISOString()
    const events: DurableEvent[] = []
    let lines = ""
    let lastHash = head
    for (const body of bodies) {
      const event = numbered(body, { seq: seq + events.length + 1, at, head: lastHash })
      const content = placeholders.encode(JSON.stringify(event))
      lastHash = nextHash(lastHash, content)
      lines += chainedLine(content, lastHash)
      events.push(event)
    }

    write(Buffer.from(lines), sync)
    seq += events.length
    head = lastHash
    return events
  }

  function write(bytes: Buffer, sync: boolean): void {
    try {
      for (let written = 0; written < bytes.length; ) {
        written += writeSync(descriptor, bytes, written)
      }
      if (sync) {
        fdatasyncSync(descriptor)
        if (!folderSynced) syncFolder(dirname(file))
        folderSynced = true
      }
      size += bytes.length
    } catch (error) {
      cutBack()
      throw unwritable(file, inWords(error), error)
    }
  }

  function cutBack(): void {
    try {
      ftruncateSync(descriptor, size)
    } catch {
      broken = true
    }
  }

  const log: ConversationLog = {
    fence: lock.fence,
    append,
    head: () => ({ seq, hash: head }),
    async read() {
      const { contents } = walked(readAll(descriptor).subarray(0, size), options)
      return contents.map((content, index) => parsed(content, index + 1, options, placeholders))
    },
    async close() {
      if (!closed) closeSync(descriptor)
      closed = true
    },
  }
  return { log, notices }
}

function open(file: string): number {
  try {
    return openSync(file, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND, 0o600)
  } catch (error) {
    throw unwritable(file, inWords(error), error)
  }
}

function readAll(descriptor: number): Buffer {
  const bytes = Buffer.allocUnsafe(fstatSync(descriptor).size)
  let length = 0
  while (length < bytes.length) {
    const read = readSync(descriptor, bytes, length, bytes.length - length, length)
    if (read === 0) break
    length += read
  }
  return bytes.subarray(0, length)
}

function walked(bytes: Buffer, { file, conversation }: FileLogOptions) {
  const walk = walkChain(bytes, conversation)
  if (walk.status === "holds") return walk
  throw failure("log_damaged", { file, record: walk.record, reason: walk.reason })
}

/** A record whose hash holds can still be wrong: of a later version, or made by somebody else. */
function parsed(
  content: string,
  record: number,
  { file }: FileLogOptions,
  placeholders: Placeholders,
): DurableEvent {
  let reason: string
  try {
    const event = DurableEvent.safeParse(JSON.parse(placeholders.decode(content)))
    if (event.success && event.data.seq === record) return event.data
    reason = event.success
      ? `its number is ${event.data.seq}`
      : `it is not an event of this version: ${z.prettifyError(event.error)}`
  } catch (error) {
    reason = `it is not JSON: ${inWords(error)}`
  }
  throw failure("log_damaged", { file, record, reason })
}

function cutOff({ tornBytes, contents }: Extract<Walk, { status: "holds" }>): EventBody {
  return {
    type: "notice",
    code: "log_torn",
    message: `The last record of the log was not written to its end; its ${tornBytes} bytes after record ${contents.length} were cut off.`,
  }
}

function numbered(
  body: EventBody,
  { seq, at, head }: { seq: number; at: string; head: string },
): DurableEvent {
  return body.type === "turn_ended" ? { seq, at, ...body, head } : { seq, at, ...body }
}

/** A new file survives a crash of the machine only once its folder's entry does. */
function syncFolder(folder: string): void {
  if (process.platform === "win32") return
  const descriptor = openSync(folder, "r")
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function unwritable(file: string, reason: string, cause?: unknown) {
  return failure("log_unwritable", { file, reason }, { cause })
}
