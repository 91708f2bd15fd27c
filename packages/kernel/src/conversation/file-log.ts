import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs"
import { dirname } from "node:path"
import { type DurableEvent, type EventBody, failure } from "@harness/protocol"
import type { ConversationLog, LogHead } from "@harness/sdk"
import { inWords } from "../config/errno.ts"
import { chainedLine, nextHash, type Walk, walkChain } from "./chain.ts"
import type { ConversationLock } from "./lock.ts"
import { createPlaceholders } from "./placeholders.ts"
import { type KeptPlaces, placeholdersAt } from "./places-file.ts"
import { eventsOf } from "./records.ts"
import { headFile, readStoredHead, storeHead } from "./stored-head.ts"
import { syncFolder } from "./sync-folder.ts"

export type FileLogOptions = {
  /** The path of `log.jsonl`; its folder must exist. */
  file: string
  conversation: string
  lock: ConversationLock
  places: KeptPlaces
  /** Milliseconds since 1970. */
  now: () => number
}

export type OpenedLog = {
  log: ConversationLog
  /** What the caller must put on record: that the last record was torn, that others are missing. */
  notices: EventBody[]
}

/**
 * Opens the log of a conversation in a file of JSON lines (see chain.ts), or begins one. A last
 * line without its end is cut off, which is told in `notices`, as are records that the stored head
 * (stored-head.ts) names and that are gone; nothing else of the file is changed. Throws `log_damaged` when the chain does not hold, and `log_unwritable`.
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
  const storedHead = headFile(file)
  const descriptor = open(file)

  let size: number
  let seq: number
  let head: string
  const notices: EventBody[] = []
  try {
    const found = walked(readAll(descriptor), options)
    const stored = readStoredHead(storedHead)
    const isNew = found.wholeBytes + found.tornBytes === 0
    if (stored.status === "found") notices.push(...endNotices(stored.head, found, file))
    else if (stored.status === "invalid") notices.push(headInvalid)
    else if (isNew) begin(storedHead, { seq: 0, hash: found.head })
    else notices.push(headMissing)
    if (found.tornBytes > 0) {
      ftruncateSync(descriptor, found.wholeBytes)
      notices.unshift(cutOff(found))
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
  let headStored = true

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
    headStored &&= events.length === 0
    if (bodies.some(({ type }) => type === "turn_ended")) keepHead()
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

  /** Without room for it the log still holds; an audit then says that its end is not proved. */
  function keepHead(): void {
    if (headStored || !lock.held()) return
    try {
      storeHead(storedHead, { seq, hash: head })
      headStored = true
    } catch {
      // Tried again when the log is closed.
    }
  }

  const log: ConversationLog = {
    fence: lock.fence,
    append,
    head: () => ({ seq, hash: head }),
    async read() {
      const { contents } = walked(readAll(descriptor).subarray(0, size), options)
      return eventsOf(contents, { file, placeholders: placeholdersAt(options.places) })
    },
    async close() {
      if (closed) return
      closed = true
      keepHead()
      closeSync(descriptor)
    },
  }
  return { log, notices }
}

/** A log without room for its head is not begun: an audit could not tell it from one that was cut. */
function begin(storedHead: string, head: LogHead): void {
  try {
    storeHead(storedHead, head)
  } catch (error) {
    throw unwritable(storedHead, inWords(error), error)
  }
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

function cutOff({ tornBytes, contents }: Extract<Walk, { status: "holds" }>): EventBody {
  return {
    type: "notice",
    code: "log_torn",
    message: `The last record of the log was not written to its end; its ${tornBytes} bytes after record ${contents.length} were cut off.`,
  }
}

/** A log that was cut at a line's end looks whole: only the stored head knows of the rest. */
function endNotices(
  stored: LogHead,
  { contents, heads }: Extract<Walk, { status: "holds" }>,
  file: string,
): EventBody[] {
  const records = contents.length
  if (stored.seq > records) {
    const which = records + 1 === stored.seq ? "record" : `records ${records + 1} to`
    const message = `The stored head names ${which} ${stored.seq}, and the log ends with ${records}.`
    return [{ type: "notice", code: "log_cut", message }]
  }
  if (heads[stored.seq] !== stored.hash) {
    const reason = "it is not the one that the stored head names"
    throw failure("log_damaged", { file, record: stored.seq, reason })
  }
  if (stored.seq === records) return []
  const message = `The log was not closed: the stored head names record ${stored.seq}, and whether more than ${records} were written is not known.`
  return [{ type: "notice", code: "log_unclosed", message }]
}

const headInvalid: EventBody = {
  type: "notice",
  code: "head_invalid",
  message: "The stored head of the log was not what harness writes: it could not be compared.",
}

const headMissing: EventBody = {
  type: "notice",
  code: "head_missing",
  message: "The stored head of the log was gone: whether its end was cut off is not known.",
}

function numbered(
  body: EventBody,
  { seq, at, head }: { seq: number; at: string; head: string },
): DurableEvent {
  return body.type === "turn_ended" ? { seq, at, ...body, head } : { seq, at, ...body }
}

function unwritable(file: string, reason: string, cause?: unknown) {
  return failure("log_unwritable", { file, reason }, { cause })
}
