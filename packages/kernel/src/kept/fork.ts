import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { type DurableEvent, failure, isFailure } from "@harness/protocol"
import { expectedOf } from "../audit/expected.ts"
import { inWords } from "../config/errno.ts"
import type { FoundConversation } from "../conversation/find.ts"
import { conversationPlaces, makeConversationFolder } from "../conversation/layout.ts"
import { placeholdersOf, readContents } from "../conversation/log-on-disk.ts"
import { keepPlacesWhole, readPlaces } from "../conversation/places-file.ts"
import { eventsOf } from "../conversation/records.ts"
import { headFile, storeHead } from "../conversation/stored-head.ts"
import { syncFolder } from "../conversation/sync-folder.ts"
import { completeIndex } from "../evidence/index-file.ts"
import { forkedLog } from "./forked-log.ts"
import { forkedPlaces } from "./forked-places.ts"
import { processesLeft } from "./forked-processes.ts"
import { shareFile } from "./share-file.ts"
import { forkingFolder } from "./unfinished.ts"

/**
 * Makes a conversation that begins as another one was at the end of a turn (null: of the last one that
 * has ended), and returns its id. The other one may be open; it is read up to its last whole record and
 * not changed. What it keeps is linked, so that it stays when the other one is removed. The fork is
 * there whole or not at all. Throws `turn_unknown`, `turn_not_ended`, `log_damaged`, `log_unreadable`,
 * `log_unwritable`.
 */
export function forkConversation(
  from: FoundConversation,
  turn: number | null,
  { home, ids, clock }: { home: string; ids: () => string; clock: () => number },
): string {
  const contents = readContents(from)
  const events = eventsOf(contents, { file: from.log, placeholders: placeholdersOf(from) })
  const end = endOfTurn(events, turn, from.id)
  const copied = events.slice(0, end)
  const id = ids()
  const at = new Date(clock()).toISOString()

  const processes = processesLeft(copied, from.processes)
  const places = forkedPlaces(readPlaces(from.places), end)
  const fork = forkedLog({
    id,
    at,
    from: from.id,
    contents: contents.slice(0, end),
    places,
    since: [...processes.map(process => process.record), ...happenedSince(events, end)],
  })

  const place = (conversation: string) => conversationPlaces(home, { key: from.key, conversation })
  const draft = place(forkingFolder(id, process.pid))
  const { folder } = place(id)
  try {
    makeConversationFolder(draft)
    for (const { place: path, group, redacted } of expectedOf(fork.events).files.values()) {
      const own = processes.flatMap(left => left.files).find(file => file.place === path)
      const to = join(draft.folder, path)
      if (own !== undefined) keep(to, own.content)
      else if (group !== "index" && !redacted) shareFile(join(from.folder, path), to)
    }
    completeIndex(draft.evidence, fork.events)
    if (places !== null) keepPlacesWhole(draft.places, places)
    storeHead(headFile(draft.log), fork.head)
    writeFileSync(draft.log, fork.lines, { mode: 0o600, flag: "wx", flush: true })
    renameSync(draft.folder, folder)
    syncFolder(dirname(folder))
  } catch (error) {
    rmSync(draft.folder, { recursive: true, force: true })
    if (isFailure(error)) throw error
    const reason = inWords(error)
    throw failure("log_unwritable", { file: join(folder, "log.jsonl"), reason }, { cause: error })
  }
  return id
}

/** The number of the record that ends the turn. */
function endOfTurn(
  events: readonly DurableEvent[],
  turn: number | null,
  conversation: string,
): number {
  const ended = events.findLast(
    event => event.type === "turn_ended" && (turn === null || event.turn === turn),
  )
  if (ended !== undefined) return ended.seq

  const turns = events.flatMap(event => (event.type === "turn_started" ? [event.turn] : []))
  const meant = turn ?? turns.at(-1) ?? 1
  if (turns.includes(meant)) throw failure("turn_not_ended", { conversation, turn: meant })
  throw failure("turn_unknown", { conversation, turn: meant, count: turns.length })
}

type Since = Parameters<typeof forkedLog>[0]["since"]

/**
 * What happened in the other one since that concerns what is copied: contents that are gone for good,
 * and how the repository was left, if it was closed before it went on.
 */
function happenedSince(events: readonly DurableEvent[], end: number): Since {
  const since = events.slice(end)
  const redacted: Since = since.flatMap(event => {
    if (event.type !== "evidence_redacted") return []
    const { type, sha256, bytes, reason } = event
    return [{ type, sha256, bytes, reason }]
  })
  const collected = since.findLast(event => event.type === "artifacts_collected")
  const next = since.find(({ type }) => type === "turn_started" || type === "conversation_closed")
  const repository = next?.type === "conversation_closed" ? next.repository : undefined
  return [
    ...redacted,
    ...(collected === undefined
      ? []
      : [{ type: collected.type, files: collected.files, bytes: collected.bytes }]),
    { type: "conversation_closed", ...(repository && { repository }) },
  ]
}

function keep(file: string, content: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, content, { mode: 0o600, flag: "wx" })
}
