import { createHash } from "node:crypto"
import { createReadStream, realpathSync } from "node:fs"
import { stat } from "node:fs/promises"
import { isAbsolute, join, posix, relative, sep } from "node:path"
import type { DurableEvent } from "@harness/protocol"
import type { AnyAction } from "@harness/sdk"
import { receiptOf } from "../audit/expected.ts"
import { errnoOf } from "../config/errno.ts"
import { asRan } from "../conversation/as-ran.ts"
import type { KnownFileTable } from "../loop/known-files.ts"

/** Files by path, as a conversation read or left them last; null: it knew them to be absent. */
export type FileStates = ReadonlyMap<string, string | null>

/**
 * Goes through a log as the turns went: `known` learns what the model was shown, and what is returned
 * is how each file was last. What the user's `undo` did is no knowledge of the model's.
 */
export function learnFrom(
  events: readonly DurableEvent[],
  { actions, known }: { actions: readonly AnyAction[]; known: KnownFileTable },
): FileStates {
  const byName = new Map(actions.map(action => [action.name, action]))
  const proposals = new Map<string, Extract<DurableEvent, { type: "action_proposed" }>>()
  const states = new Map<string, string | null>()
  const put = (path: string, sha256: string | null) => {
    const name = posix.normalize(path)
    states.delete(name)
    states.set(name, sha256)
  }

  for (const event of asRan(events)) {
    if (event.type === "action_proposed") proposals.set(event.action_id, event)
    if (event.type !== "action_ended" && event.type !== "process_ended") continue
    const proposed = proposals.get(event.action_id)
    if (proposed === undefined || proposed.origin.type === "undo") continue

    const action = byName.get(proposed.action)
    // Of an action that takes other input by now, nothing is known.
    if (event.type === "action_ended" && action?.input.safeParse(proposed.input).success) {
      const { input, origin } = proposed
      if ("call_id" in origin) known.learn(action, input, event.result)
      for (const { path, sha256 } of action.knows?.(input, event.result) ?? []) put(path, sha256)
    }
    for (const { path, after } of receiptOf(event)?.changes?.files ?? []) {
      if (after === null) put(path, null)
      else if (after.type === "file" && after.sha256 !== null) put(path, after.sha256)
      else states.delete(posix.normalize(path))
    }
  }
  return states
}

export type ComparedFiles = {
  changed: string[]
  /** That were there. */
  gone: string[]
  /** That were not. */
  appeared: string[]
  /** Files that there was no room to look at. */
  notCompared: number
}

/** What a comparison may take: with more, the opening of a conversation would be felt. */
const most = { files: 5_000, bytes: 256 * 1_048_576 }

/** Compares files below `root` with how they were last; of too many the latest. */
export async function compareFiles(
  root: string,
  states: FileStates,
  limits = most,
): Promise<ComparedFiles> {
  const compared: ComparedFiles = { changed: [], gone: [], appeared: [], notCompared: 0 }
  const latest = [...states].toReversed()
  let left = limits.bytes
  for (const [index, [path, before]] of latest.entries()) {
    const now = index < limits.files ? await stateNow(root, path, left) : "not_compared"
    if (now === "not_compared") {
      compared.notCompared += 1
      continue
    }
    if (now === null) {
      if (before !== null) compared.gone.push(path)
      continue
    }
    left -= now.bytes
    if (before === null) compared.appeared.push(path)
    else if (now.sha256 !== before) compared.changed.push(path)
  }
  return {
    changed: compared.changed.toSorted(),
    gone: compared.gone.toSorted(),
    appeared: compared.appeared.toSorted(),
    notCompared: compared.notCompared,
  }
}

/** Null when there is no file; a hash that nothing has for what is none, or lies outside of the root. */
async function stateNow(
  root: string,
  path: string,
  limitBytes: number,
): Promise<{ sha256: string; bytes: number } | null | "not_compared"> {
  try {
    const real = realpathSync(join(root, path))
    if (!liesIn(real, root)) return { sha256: "", bytes: 0 }
    const stats = await stat(real)
    if (!stats.isFile()) return { sha256: "", bytes: 0 }
    if (stats.size > limitBytes) return "not_compared"

    const digest = createHash("sha256")
    for await (const chunk of createReadStream(real)) digest.update(chunk)
    return { sha256: digest.digest("hex"), bytes: stats.size }
  } catch (error) {
    const code = errnoOf(error)
    if (code === "ENOENT" || code === "ENOTDIR") return null
    if (code === undefined) throw error
    return "not_compared"
  }
}

function liesIn(real: string, root: string): boolean {
  const way = relative(root, real)
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
