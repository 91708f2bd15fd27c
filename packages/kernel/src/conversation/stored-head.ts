import {
  closeSync,
  fdatasyncSync,
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
 * A log's head beside the log: `{"seq":17,"hash":"…"}`, written when a turn ends and when the log is
 * closed. The chain shows what was changed in a log; only this shows that its end is missing.
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
 * Replaces it in one step. Throws the system's error; what was stored before is as it was then. The
 * log's lock keeps others from doing the same.
 */
export function storeHead(file: string, head: LogHead): void {
  const draft = `${file}.new`
  try {
    const descriptor = openSync(draft, "w", 0o600)
    try {
      writeSync(descriptor, lineOf(head))
      fdatasyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
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
