import {
  type ConversationChange,
  type DurableEvent,
  type FileState,
  failure,
  type KeptFile,
} from "@harness/protocol"
import { receiptOf } from "../audit/expected.ts"
import { type Availability, availabilityOf } from "./availability.ts"

export type Changes = {
  /** By path; what came back to what it was is left out. */
  files: ConversationChange[]
  /** Commands changed more than their receipts could name. */
  truncated: boolean
}

/**
 * What a conversation did to files, or one turn of it: each before its first change and after its
 * last. What the user's `undo` took back is not counted, nor what a command of the user's own did: that
 * is no change of the conversation's.
 * Throws `turn_unknown`.
 *
 * @example
 * changesOf(events, { conversation: id, turn: null }).files // [{ path: "a.ts", by: "actions", … }]
 */
export function changesOf(
  events: readonly DurableEvent[],
  { conversation, turn }: { conversation: string; turn: number | null },
): Changes {
  const count = events.filter(({ type }) => type === "turn_started").length
  if (turn !== null && turn > count) throw failure("turn_unknown", { conversation, turn, count })

  const availability = availabilityOf(events)
  const isMeant = actionsMeant(events, turn)
  const changes = new Map<string, ConversationChange>()
  let truncated = false
  for (const event of events) {
    if (event.type !== "action_ended" && event.type !== "process_ended") continue
    if (!isMeant(event.action_id)) continue
    for (const step of stepsOf(event, availability)) add(changes, step)
    truncated ||= receiptOf(event)?.changes?.truncated === true
  }
  const files = [...changes.values()].filter(isChange).toSorted(byPath)
  return { files, truncated }
}

function actionsMeant(
  events: readonly DurableEvent[],
  turn: number | null,
): (actionId: string) => boolean {
  const meant = new Set<string>()
  for (const event of events) {
    if (event.type !== "action_proposed" || isOfUser(event)) continue
    if (turn === null || event.turn === turn) meant.add(event.action_id)
  }
  return actionId => meant.has(actionId)
}

function isOfUser({ origin }: Extract<DurableEvent, { type: "action_proposed" }>): boolean {
  return origin.type === "undo" || origin.type === "user"
}

function add(changes: Map<string, ConversationChange>, step: ConversationChange): void {
  const { path, by, after } = step
  const known = changes.get(path)
  if (known === undefined) changes.set(path, step)
  else changes.set(path, { ...known, after, by: known.by === by ? by : "both" })
}

function stepsOf(
  event: Extract<DurableEvent, { type: "action_ended" | "process_ended" }>,
  availability: Availability,
): ConversationChange[] {
  const listed = receiptOf(event)?.changes?.files ?? []
  const byCommands = listed.map(({ path, before, after }): ConversationChange => {
    const kept = (state: FileState | null) => state && fileOf(state, availability)
    return { path, by: "commands", before: kept(before), after: kept(after) }
  })
  return event.type === "action_ended"
    ? [...byActionItself(event, availability), ...byCommands]
    : byCommands
}

/** An action that ended with an error kept what it meant to write, and did not write it. */
function byActionItself(
  { result, receipt }: Extract<DurableEvent, { type: "action_ended" }>,
  availability: Availability,
): ConversationChange[] {
  if ("error" in result) return []
  return receipt.evidence.flatMap(({ role, path, ...content }) => {
    if (role !== "after" || path === undefined) return []
    const before = receipt.evidence.find(link => link.role === "before" && link.path === path)
    const kept = ({ sha256, bytes }: { sha256: string; bytes: number }): KeptFile =>
      fileOf({ type: "file", sha256, bytes }, availability)
    return {
      path,
      by: "actions" as const,
      before: before ? kept(before) : null,
      after: kept(content),
    }
  })
}

function fileOf(
  { type, sha256, bytes, mode }: Omit<FileState, "mode"> & { mode?: number },
  availability: Availability,
): KeptFile {
  const content = sha256 === null ? "not_kept" : availability(sha256)
  return { sha256, bytes, type, ...(mode !== undefined && { mode }), content }
}

/** Two files that nobody read may be the same, and are not taken for it. */
function isChange({ before, after }: ConversationChange): boolean {
  if (before === null || after === null) return before !== after
  const sameMode =
    before.mode === undefined || after.mode === undefined || before.mode === after.mode
  return before.sha256 === null || before.sha256 !== after.sha256 || !sameMode
}

function byPath(one: ConversationChange, other: ConversationChange): number {
  return one.path < other.path ? -1 : 1
}
