import {
  type CommandAnswer,
  type DurableEvent,
  failure,
  type KernelCommand,
  type UndoneFile,
} from "@harness/protocol"
import { changesOf } from "../changes/changes.ts"
import type { KernelOptions } from "../context.ts"
import type { FoundConversation } from "../conversation/find.ts"
import { readEvents } from "../conversation/log-on-disk.ts"
import { reopenConversation } from "../conversation/reopen.ts"
import { folderOf } from "./folder.ts"
import { type Planned, planUndo } from "./plan.ts"
import { startRestorer } from "./restorer.ts"

type Undo = Omit<Extract<KernelCommand, { type: "undo" }>, "type" | "conversation">
type Answer = Extract<CommandAnswer, { type: "undo" }>

/**
 * Takes back what a conversation did to files, or tells what that would be. Each file is restored by
 * an action in the conversation's own log, so that what an undo overwrites is evidence too. Throws
 * `conversation_changed`, `conversation_folder_unknown`, `conversation_locked`, `turn_unknown`.
 */
export async function undo(
  conversation: FoundConversation,
  command: Undo,
  kernel: KernelOptions,
): Promise<Answer> {
  const { id } = conversation
  const { folder, shown_seq } = command
  const turn = command.turn ?? null
  const root = await folderOf(conversation, { named: folder, home: kernel.home })
  const meant = { conversation: id, turn }
  const plan = (events: readonly DurableEvent[]) => planUndo(changesOf(events, meant).files, root)
  if (shown_seq === null) {
    const events = readEvents(conversation)
    return answer(id, root, events.length, filesOf(await plan(events)))
  }

  return reopenConversation(conversation, kernel, async reopened => {
    const { events, foundSeq, recorder } = reopened
    if (foundSeq !== shown_seq) throw failure("conversation_changed", { conversation: id })

    const planned = await plan(events)
    if (!planned.some(canBeDone)) return answer(id, root, foundSeq, filesOf(planned))

    const restorer = await startRestorer({ conversation, reopened, root, kernel })
    try {
      const files: UndoneFile[] = []
      for (const each of inOrder(planned)) files.push(await carriedOut(each, restorer.restore))
      const paths = (status: UndoneFile["status"]) =>
        files
          .filter(file => file.status === status)
          .map(({ path }) => path)
          .toSorted()
      recorder.record(
        { type: "undo_ended", turn, done: paths("done"), conflicts: paths("conflict") },
        { sync: true },
      )
      return answer(id, root, foundSeq, files)
    } finally {
      await restorer.close()
    }
  })
}

/** A file that is to go may stand where a folder was, and the other way round. */
function inOrder(planned: readonly Planned[]): Planned[] {
  const removals = planned.filter(({ file }) => file.status === "remove")
  return [...removals, ...planned.filter(({ file }) => file.status !== "remove")]
}

async function carriedOut(
  { change, file }: Planned,
  restore: (change: Planned["change"]) => Promise<string | null>,
): Promise<UndoneFile> {
  if (!canBeDone({ change, file })) return file
  const reason = await restore(change)
  const { path, by } = file
  return reason === null ? { path, by, status: "done" } : { path, by, status: "conflict", reason }
}

function filesOf(planned: readonly Planned[]): UndoneFile[] {
  return planned.map(({ file }) => file)
}

function canBeDone({ file }: Planned): boolean {
  return file.status === "restore" || file.status === "remove"
}

function answer(
  conversation: string,
  folder: string,
  seq: number,
  files: readonly UndoneFile[],
): Answer {
  const byPath = files.toSorted((one, other) => (one.path < other.path ? -1 : 1))
  return { type: "undo", conversation, folder, seq, files: byPath }
}
