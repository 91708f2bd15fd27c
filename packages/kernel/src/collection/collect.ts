import { rmSync } from "node:fs"
import { join } from "node:path"
import { type CollectedConversation, type CommandAnswer, isFailure } from "@harness/protocol"
import { expectedOf } from "../audit/expected.ts"
import { unnamedEntries } from "../audit/files.ts"
import { inventoryOf, type KeptEntry } from "../audit/inventory.ts"
import { allConversations, type FoundConversation } from "../conversation/find.ts"
import { leftTemp } from "../conversation/left-temp.ts"
import { holderOf } from "../conversation/lock.ts"
import { readEvents } from "../conversation/log-on-disk.ts"
import { reopenConversation } from "../conversation/reopen.ts"
import { type Unfinished, unfinishedIn } from "../kept/unfinished.ts"
import { removeEmptyFolders } from "./empty-folders.ts"

export type CollectOptions = {
  home: string
  /** All artifacts of a conversation go whose last record is older than that; null: none. */
  olderThanSeconds: number | null
  dryRun: boolean
  clock: () => number
  /** For tests: how a file is removed. */
  remove?: (file: string) => void
}

/**
 * Bounds the disk. Of each conversation that no live process has open, what no record names is
 * removed; of old ones all artifacts, under a tombstone in the chain. Logs stay. A conversation
 * whose log does not hold is not touched. What a crash left of one that was being deleted or forked goes.
 */
export async function collectGarbage(
  options: CollectOptions,
): Promise<Extract<CommandAnswer, { type: "gc" }>> {
  const conversations: CollectedConversation[] = []
  for (const conversation of allConversations(options.home)) {
    const collected = await collectOne(conversation, options).catch(skipped(conversation))
    if (collected.files > 0 || collected.status === "skipped") conversations.push(collected)
  }
  for (const unfinished of unfinishedIn(options.home)) {
    conversations.push(removeUnfinished(unfinished, options))
  }
  const sum = (key: "files" | "bytes") =>
    conversations
      .filter(({ status }) => status !== "skipped")
      .reduce((all, each) => all + each[key], 0)
  return { type: "gc", conversations, files: sum("files"), bytes: sum("bytes") }
}

function removeUnfinished(
  { id, folder }: Unfinished,
  { dryRun }: CollectOptions,
): CollectedConversation {
  const entries = inventoryOf(folder)
  if (!dryRun) rmSync(folder, { recursive: true, force: true })
  return { conversation: id, status: "swept", files: entries.length, bytes: bytesOf(entries) }
}

/** What can be wrong with one conversation is no reason not to look at the others. */
function skipped({ id }: FoundConversation) {
  return (error: unknown): CollectedConversation => {
    if (!isFailure(error)) throw error
    return { conversation: id, status: "skipped", files: 0, bytes: 0, reason: error.message }
  }
}

async function collectOne(
  conversation: FoundConversation,
  options: CollectOptions,
): Promise<CollectedConversation> {
  const { id, folder } = conversation
  const holder = holderOf(folder)
  if (holder !== null) {
    const reason = `It is open in another process (${holder}).`
    return { conversation: id, status: "skipped", files: 0, bytes: 0, reason }
  }

  const found = findGarbage(conversation, options)
  if (options.dryRun || isEmpty(found)) return answered(id, found)
  return reopenConversation(conversation, options, async ({ recorder }) => {
    // Looked at again: it could be written to until now.
    const garbage = findGarbage(conversation, options)
    const { status, named } = garbage
    if (status === "collected" && named.length > 0) {
      const [files, bytes] = [named.length, bytesOf(named)]
      recorder.record({ type: "artifacts_collected", files, bytes }, { sync: true })
    }
    removeAll(conversation, garbage, options)
    return answered(id, garbage)
  })
}

type Garbage = {
  status: "swept" | "collected"
  entries: readonly KeptEntry[]
  /** Those among them that records name. */
  named: readonly KeptEntry[]
  /** A temporary folder that a killed process left, and what is in it. */
  temp: { folder: string; entries: readonly KeptEntry[] } | null
}

function isEmpty({ entries, temp }: Garbage): boolean {
  return entries.length === 0 && temp === null
}

function findGarbage(
  conversation: FoundConversation,
  { olderThanSeconds, clock }: CollectOptions,
): Garbage {
  const events = readEvents(conversation)
  const inventory = inventoryOf(conversation.folder)
  const expected = expectedOf(events)
  const temp = tempOf(conversation)
  // The output of a process whose end was never written is all that is known of it.
  const unnamed = unnamedEntries(expected, inventory).filter(
    ({ place }) => !expected.untold.has(place),
  )
  const last = Date.parse(events.at(-1)?.at ?? "")
  const isOld = olderThanSeconds !== null && clock() - last > olderThanSeconds * 1_000
  if (!isOld) return { status: "swept", entries: unnamed, named: [], temp }

  const artifacts = inventory.filter(({ place }) => place.startsWith("artifacts/"))
  const rest = unnamed.filter(entry => !artifacts.includes(entry))
  const named = artifacts.filter(({ place }) => expected.files.has(place))
  return { status: "collected", entries: [...artifacts, ...rest], named, temp }
}

function tempOf(conversation: FoundConversation): Garbage["temp"] {
  const folder = leftTemp(conversation)
  return folder === null ? null : { folder, entries: inventoryOf(folder) }
}

function answered(conversation: string, garbage: Garbage): CollectedConversation {
  const entries = [...garbage.entries, ...(garbage.temp?.entries ?? [])]
  const { status } = garbage
  return { conversation, status, files: entries.length, bytes: bytesOf(entries) }
}

function bytesOf(entries: readonly KeptEntry[]): number {
  return entries.reduce((sum, { bytes }) => sum + bytes, 0)
}

function removeAll(
  conversation: FoundConversation,
  { entries, temp }: Garbage,
  { remove = file => rmSync(file, { force: true }) }: CollectOptions,
): void {
  for (const { place } of entries) remove(join(conversation.folder, place))
  removeEmptyFolders(conversation.artifacts)
  if (temp !== null) rmSync(temp.folder, { recursive: true, force: true })
}
