import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { dirname, join } from "node:path"
import {
  type ApprovalScope,
  type DurableEvent,
  failure,
  type Rule,
  SavedApproval,
  toFailure,
} from "@harness/protocol"
import * as z from "zod"
import { errnoOf, inWords } from "../config/errno.ts"
import { changeStateFile } from "../config/state-file.ts"

/** What a person allowed at the gate, for a conversation or for its project. */
export interface Approvals {
  /** What counts now: what another process revokes counts no more at once. */
  list(): Promise<SavedApproval[]>
  /** Throws `approvals_invalid`, `home_unusable`, `disk_full`. */
  save(given: { request: string; scope: ApprovalScope; rules: readonly Rule[] }): Promise<void>
}

export function createApprovals(options: {
  conversation: string
  home: string
  /** The keys of the project: the one to save under first, then those that it had before. */
  keys: () => Promise<readonly string[]>
  /** Of the conversation: what it saved for itself is restored from them. */
  events: readonly DurableEvent[]
  clock: () => number
  /** Told once of a file that cannot be used; it counts for nothing. */
  onUnusable: (failed: { code: string; message: string }) => void
}): Approvals {
  const { conversation, home } = options
  const own = options.events.flatMap(restored(conversation))
  const told = new Set<string>()
  let found: Promise<readonly string[]> | undefined
  const files = async () => {
    found ??= options.keys()
    return (await found).map(key => approvalsFile(home, key))
  }

  function usable(file: string): SavedApproval[] {
    try {
      return readApprovals(file)
    } catch (error) {
      const { code, message } = toFailure(error)
      if (!told.has(file)) options.onUnusable({ code, message })
      told.add(file)
      return []
    }
  }

  return {
    async list() {
      return [...own, ...(await files()).flatMap(usable)]
    },
    async save({ request, scope, rules }) {
      const at = new Date(options.clock()).toISOString()
      const saved = numbered(request, rules).map(each => ({ ...each, at, conversation }))
      if (scope === "conversation") return void own.push(...saved)
      const [file] = await files()
      if (file !== undefined) await addApprovals(file, saved)
    },
  }
}

/** `approvals.json` of a project; nothing is made. */
export function approvalsFile(home: string, key: string): string {
  return join(home, "projects", key, "approvals.json")
}

/**
 * What a project's file holds; nothing where there is none. Throws `approvals_invalid` when it is not
 * what harness wrote, or others may write it.
 */
export function readApprovals(file: string): SavedApproval[] {
  const text = readPrivately(file)
  if (text === undefined) return []
  try {
    return Saved.parse(JSON.parse(text)).approvals
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : inWords(error)
    throw failure("approvals_invalid", { file, reason })
  }
}

/** Takes one out. Throws `approvals_invalid`, `home_unusable`, `disk_full`. */
export async function removeApproval(file: string, id: string): Promise<void> {
  await changeApprovals(file, approvals => approvals.filter(approval => approval.id !== id))
}

const Saved = z.strictObject({ version: z.literal(1), approvals: z.array(SavedApproval) })

async function addApprovals(file: string, saved: readonly SavedApproval[]): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await changeApprovals(file, approvals => [...approvals, ...saved])
}

async function changeApprovals(
  file: string,
  change: (approvals: readonly SavedApproval[]) => SavedApproval[],
): Promise<void> {
  const read = async () => ({ version: 1, approvals: readApprovals(file) })
  await changeStateFile(file, read, kept => ({ ...kept, approvals: change(kept.approvals) }))
}

/** The request in which it was given is its id; of several, with a number. */
function numbered(request: string, rules: readonly Rule[]) {
  const only = rules.length === 1
  return rules.map((rule, at) => ({ id: only ? request : `${request}-${at + 1}`, rule }))
}

function restored(conversation: string) {
  return (event: DurableEvent): SavedApproval[] => {
    if (event.type !== "request_answered" || event.saved?.scope !== "conversation") return []
    const { request, saved, at } = event
    return numbered(request, saved.rules).map(each => ({ ...each, at, conversation }))
  }
}

function readPrivately(file: string): string | undefined {
  const unusable = (reason: string) => failure("approvals_invalid", { file, reason })
  let descriptor: number
  try {
    descriptor = openSync(file, constants.O_RDONLY | noFollow | nonBlocking)
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined
    throw unusable(errnoOf(error) === "ELOOP" ? "it is a symbolic link" : inWords(error))
  }

  try {
    const status = fstatSync(descriptor)
    const user = process.getuid?.()
    if (!status.isFile()) throw unusable("it is not a file")
    if (user !== undefined && status.uid !== user) throw unusable("it belongs to another user")
    if (user !== undefined && (status.mode & 0o022) !== 0) throw unusable("others may write it")
    return readFileSync(descriptor, "utf8")
  } finally {
    closeSync(descriptor)
  }
}

/** Windows has neither flag, and no modes. */
const { O_NOFOLLOW: noFollow = 0, O_NONBLOCK: nonBlocking = 0 } = constants
