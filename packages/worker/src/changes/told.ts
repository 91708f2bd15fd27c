import type { FileChange, FileState } from "@harness/protocol"
import type { ActionEvidence } from "../evidence/action-evidence.ts"
import type { Root } from "../files/walk.ts"
import type { Contents } from "./contents.ts"
import type { Difference } from "./differences.ts"
import { type Content, hashAsSeen, readAsSeen } from "./reading.ts"
import { slices } from "./slices.ts"
import type { FileStat } from "./snapshot.ts"

/** Bounds of one process's list: what is beyond is not listed, not hashed, or not kept. */
const LISTED = 1_000
const HASHED_BYTES = { file: 16 * 1_048_576, total: 64 * 1_048_576 }
const KEPT_BYTES = { file: 1_048_576, total: 8 * 1_048_576 }

export type TellOptions = {
  root: Root
  contents: Contents
  /** What a file held before; undefined when that is not known. */
  contentBefore(path: string, stat: FileStat): Promise<Content | undefined>
  evidence: ActionEvidence
  isSecret(path: string): boolean
  /** What file actions wrote meanwhile, by path. */
  ours: ReadonlyMap<string, string>
}

export type Told = {
  files: FileChange[]
  /** Paths that differ in nothing that matters, or were written by a file action. */
  same: ReadonlySet<string>
  cut: boolean
}

/** What was known of a file on one side, and its content where there is one. */
type Side = { state: FileState; content: Content | undefined }

/** The differences as a receipt lists them, with their hashes; contents become evidence. */
export async function toldChanges(
  differences: readonly Difference[],
  options: TellOptions,
): Promise<Told> {
  const files: FileChange[] = []
  const same = new Set<string>()
  const keep = keeper(options)
  const read = reader(options)
  const turns = slices()

  for (const difference of differences) {
    const { path } = difference
    if (files.length === LISTED) return { files, same, cut: true }
    if (turns.due()) await turns.next()

    const before = difference.before && (await sideBefore(path, difference.before, options))
    const after = difference.after && (await read(path, difference.after))
    const isOurs = after !== undefined && options.ours.get(path) === after.state.sha256
    if (isOurs || isUnchanged(difference, before, after)) {
      same.add(path)
      continue
    }
    files.push({ path, before: before?.state ?? null, after: after?.state ?? null })
    keep(path, before, after)
  }
  return { files, same, cut: false }
}

async function sideBefore(
  path: string,
  stat: FileStat,
  { contentBefore }: TellOptions,
): Promise<Side> {
  const content = await contentBefore(path, stat)
  return { state: stateOf(stat, content?.sha256), content }
}

/** Reads what the files hold now; the next look before need not do it again. */
function reader({ root, contents }: TellOptions) {
  let hashedBytes = 0

  return async (path: string, stat: FileStat): Promise<Side> => {
    if (stat.bytes > HASHED_BYTES.file || hashedBytes + stat.bytes > HASHED_BYTES.total) {
      return { state: stateOf(stat, undefined), content: undefined }
    }
    hashedBytes += stat.bytes
    if (stat.bytes > KEPT_BYTES.file) {
      return { state: stateOf(stat, await hashAsSeen(root, path, stat)), content: undefined }
    }
    const content = await readAsSeen(root, path, stat)
    if (content !== undefined) contents.add(path, stat, content)
    return { state: stateOf(stat, content?.sha256), content }
  }
}

/** Keeps contents until one does not fit: evidence of the actions to come matters more. */
function keeper({ evidence, isSecret }: TellOptions) {
  let keptBytes = 0
  let full = false

  return (path: string, before: Side | undefined, after: Side | undefined): void => {
    const sides = [
      { role: "command_before", path, content: before?.content },
      { role: "command_after", path, content: after?.content },
    ]
    const payloads = sides.flatMap(({ content, ...rest }) =>
      content !== undefined && content.bytes.length <= KEPT_BYTES.file
        ? { ...rest, bytes: content.bytes, sha256: content.sha256 }
        : [],
    )
    if (isSecret(path)) {
      evidence.withhold(payloads.map(payload => ({ ...payload, bytes: payload.bytes.length })))
      return
    }

    const bytes = payloads.reduce((sum, payload) => sum + payload.bytes.length, 0)
    full ||= keptBytes + bytes > KEPT_BYTES.total || !isKept(evidence, payloads)
    if (!full) keptBytes += bytes
  }
}

/** A full disk is a full budget: the changes are still listed. */
function isKept(evidence: ActionEvidence, payloads: Parameters<ActionEvidence["keep"]>[0]) {
  try {
    return (
      evidence.keep(
        payloads.map(({ role, bytes, path }) => ({
          role,
          bytes,
          ...(path !== undefined && { path }),
        })),
      ) !== null
    )
  } catch {
    return false
  }
}

/** Touched, or written anew with the same content: of no interest, if that can be told. */
function isUnchanged(
  { before: was, after: is }: Difference,
  before: Side | undefined,
  after: Side | undefined,
): boolean {
  if (was === undefined || is === undefined || was.type !== is.type || was.mode !== is.mode) {
    return false
  }
  const hashes = [before?.state.sha256, after?.state.sha256]
  if (hashes.every(hash => typeof hash === "string")) return hashes[0] === hashes[1]
  return was.bytes === is.bytes && was.modifiedMs === is.modifiedMs && was.inode === is.inode
}

function stateOf(stat: FileStat, sha256: string | undefined): FileState {
  return { type: stat.type, bytes: stat.bytes, mode: stat.mode, sha256: sha256 ?? null }
}
