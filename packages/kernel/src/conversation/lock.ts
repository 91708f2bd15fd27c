import { closeSync, existsSync, openSync, readdirSync, renameSync } from "node:fs"
import { join } from "node:path"
import { failure } from "@harness/protocol"
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
 * The lock is one empty file whose name says all: `lock-<fence>-<pid>-<start>`, or
 * `lock-<fence>-free`. It is taken by renaming it to a name with the next fence, which only one of
 * several can do, because the old name is gone then. So a writer whose name is gone has lost the
 * conversation. A holder whose process is gone (its pid is free, or belongs to a process that
 * started at another time) does not count.
 */
export function lockConversation(
  { folder, conversation }: { folder: string; conversation: string },
  processes: ProcessTable = processTable(),
): ConversationLock {
  const { fence, file } = take(folder, conversation, processes)
  let released = false

  return {
    fence,
    held: () => !released && existsSync(file),
    refuse() {
      throw locked(conversation, latest(folder))
    },
    release() {
      if (!released && existsSync(file)) renameSync(file, join(folder, `lock-${fence}-free`))
      released = true
    },
  }
}

/** The process that has a conversation's lock and lives, without taking anything; null when it is free. */
export function holderOf(folder: string, processes: ProcessTable = processTable()): number | null {
  const { holder } = latest(folder) ?? { holder: null }
  return holder !== null && isRunning(holder, processes) ? holder.pid : null
}

function take(folder: string, conversation: string, processes: ProcessTable) {
  const { pid } = processes
  const start = processes.startOf(pid) || unknownStart
  for (;;) {
    const before = latest(folder)
    if (before === null) {
      makeFree(folder)
      continue
    }
    if (before.holder && isRunning(before.holder, processes)) throw locked(conversation, before)

    const fence = before.fence + 1
    const file = join(folder, `lock-${fence}-${pid}-${start}`)
    if (renamed(join(folder, before.name), file)) return { fence, file }
  }
}

type Holder = { pid: number; start: string }
type LockFile = { name: string; fence: number; holder: Holder | null }

/** The file that counts; a lower one is left when two made the first at once. */
function latest(folder: string): LockFile | null {
  const found = readdirSync(folder).flatMap(name => lockFile(name) ?? [])
  return found.reduce<LockFile | null>(
    (highest, file) => (highest === null || file.fence > highest.fence ? file : highest),
    null,
  )
}

function lockFile(name: string): LockFile | null {
  const form = /^lock-(\d+)-(?:free|(\d+)-(\d+))$/.exec(name)
  if (form === null) return null
  const [, fence, pid, start] = form
  const holder = pid === undefined || start === undefined ? null : { pid: Number(pid), start }
  return { name, fence: Number(fence), holder }
}

function makeFree(folder: string): void {
  closeSync(openSync(join(folder, "lock-0-free"), "a", 0o600))
}

/** False when somebody else renamed it first. */
function renamed(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return false
    throw error
  }
}

/** A start that is not known is taken as the same: better refuse than have two writers. */
function isRunning({ pid, start }: Holder, processes: ProcessTable): boolean {
  const found = processes.startOf(pid)
  if (found === null) return false
  return found === "" || start === unknownStart || found === start
}

const unknownStart = "0"

function locked(conversation: string, file: LockFile | null) {
  const pid = file?.holder?.pid ?? "gone since"
  return failure("conversation_locked", { conversation, pid })
}
