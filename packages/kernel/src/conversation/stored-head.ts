import {
  closeSync,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { Sha256 } from "@harness/protocol"
import type { LogHead } from "@harness/sdk"
import * as z from "zod"
import { errnoOf } from "../config/errno.ts"

/**
 * A log's head beside the log: `{"seq":17,"hash":"…"}`, written when the log is begun, when a turn ends
 * and when the log is closed. The chain shows what was changed in a log; only this shows that its end
 * is missing.
 */
export type StoredHead =
  | { status: "found"; head: LogHead }
  | { status: "missing" }
  /** It is not what harness writes. */
  | { status: "invalid" }

/** Where the head of a log is stored. */
export function headFile(log: string): string {
  return join(dirname(log), "head.json")
}

/** Reads it. Any byte that harness would not have written makes it invalid. */
export function readStoredHead(file: string): StoredHead {
  let text: string
  try {
    text = readFileSync(file, "latin1")
  } catch (error) {
    return { status: errnoOf(error) === "ENOENT" ? "missing" : "invalid" }
  }
  const head = parsed(text)
  return head !== null && lineOf(head) === text ? { status: "found", head } : { status: "invalid" }
}

/**
 * Replaces it in one step; on a full disk in its place, where it needs no room. Throws the system's
 * error. The log's lock keeps others from doing the same.
 */
export function storeHead(file: string, head: LogHead): void {
  const draft = `${file}.new`
  try {
    write(draft, "w", head)
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    if (errnoOf(error) !== "ENOSPC" || !existsSync(file)) throw error
    write(file, "r+", head)
  }
}

function write(file: string, flags: "w" | "r+", head: LogHead): void {
  const line = lineOf(head)
  const descriptor = openSync(file, flags, 0o600)
  try {
    if (writeSync(descriptor, line, 0) < line.length) throw shortWrite()
    ftruncateSync(descriptor, line.length)
    fdatasyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** The system says so only with the next write. */
function shortWrite(): Error {
  return Object.assign(new Error("the head was not written whole"), { code: "ENOSPC" })
}

const Head = z.strictObject({ seq: z.int().nonnegative(), hash: Sha256 })

function lineOf({ seq, hash }: LogHead): string {
  return `${JSON.stringify({ seq, hash })}\n`
}

function parsed(text: string): LogHead | null {
  try {
    return Head.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
