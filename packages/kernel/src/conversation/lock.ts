import {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { failure } from "@harness/protocol"
import * as z from "zod"
import { errnoOf } from "../config/errno.ts"
import { type ProcessTable, processTable } from "./process-table.ts"

/** The right to write to one conversation. */
export interface ConversationLock {
  /** Grows with each holder, so that a later one is known from an earlier one. */
  readonly fence: number
  /** False when another process has taken the conversation over. One look at the file system. */
  held(): boolean
  /** Throws `conversation_locked`, naming the process that has it now. */
  refuse(): never
  /** Lets the next one in. Safe to call twice. */
  release(): void
}

/**
 * Takes the lock of a conversation's folder (which must exist), or throws `conversation_locked`
 * with the process that holds it. There are no timers and no waiting.
 *
 * The lock is the file `lock-<fence>` with the highest number: `{pid, start}` of its holder, empty
 * once released. The next holder makes the file with the next number, which only one can, and
 * removes the older ones: a writer whose file is gone has lost the conversation. A holder whose
 * process is gone (its pid is free, or belongs to a process that started at another time) does not
 * count.
 */
export function lockConversation(
  { folder, conversation }: { folder: string; conversation: string },
  processes: ProcessTable = processTable(),
): ConversationLock {
  const own = JSON.stringify({ pid: processes.pid, start: processes.startOf(processes.pid) ?? "" })
  const fence = takeNext(folder, conversation, own, processes)
  const file = join(folder, `lock-${fence}`)
  let released = false

  return {
    fence,
    held: () => !released && existsSync(file),
    refuse() {
      const pid = readHolder(folder, latest(folder))?.pid ?? "gone since"
      throw failure("conversation_locked", { conversation, pid })
    },
    release() {
      if (released) return
      released = true
      if (existsSync(file)) truncateSync(file)
    },
  }
}

function takeNext(
  folder: string,
  conversation: string,
  own: string,
  processes: ProcessTable,
): number {
  const draft = join(folder, `lock-draft-${processes.pid}-${process.hrtime.bigint()}`)
  writeFileSync(draft, own, { mode: 0o600 })
  try {
    for (;;) {
      const before = latest(folder)
      const holder = readHolder(folder, before)
      if (holder !== null && isRunning(holder, processes)) {
        throw failure("conversation_locked", { conversation, pid: holder.pid })
      }
      const fence = before + 1
      if (!linkNew(draft, join(folder, `lock-${fence}`))) continue
      if (latest(folder) > fence) {
        unlinkSync(join(folder, `lock-${fence}`))
        continue
      }
      for (const older of fences(folder)) {
        if (older < fence) removeIfThere(join(folder, `lock-${older}`))
      }
      return fence
    }
  } finally {
    unlinkSync(draft)
  }
}

function fences(folder: string): number[] {
  return readdirSync(folder).flatMap(name => {
    const number = /^lock-(\d+)$/.exec(name)?.[1]
    return number === undefined ? [] : [Number(number)]
  })
}

function latest(folder: string): number {
  return Math.max(0, ...fences(folder))
}

const Holder = z.object({ pid: z.int().positive(), start: z.string() })
type Holder = z.infer<typeof Holder>

/** Null when nobody holds it: no file, or a released one, which is empty. */
function readHolder(folder: string, fence: number): Holder | null {
  let text: string
  try {
    text = readFileSync(join(folder, `lock-${fence}`), "utf8")
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return null
    throw error
  }
  try {
    return Holder.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** A start that is not known is taken as the same: better refuse than have two writers. */
function isRunning({ pid, start }: Holder, processes: ProcessTable): boolean {
  const found = processes.startOf(pid)
  return found !== null && (found === "" || start === "" || found === start)
}

function linkNew(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false
    throw error
  }
}

/** Two that take over at once may both want to remove it. */
function removeIfThere(file: string): void {
  try {
    unlinkSync(file)
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error
  }
}
