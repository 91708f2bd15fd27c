import { readdir, readFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { walkChain } from "../../../packages/kernel/src/conversation/chain.ts"
import { DurableEvent } from "../../../packages/protocol/src/index.ts"
import type { TemporaryFolder } from "../../support/temporary-folder.ts"

/** The folders of the conversations that a HARNESS_HOME holds. */
export async function conversationsIn(home: TemporaryFolder): Promise<string[]> {
  const entries = await readdir(home.path, { recursive: true, withFileTypes: true })
  return entries.filter(({ name }) => name === "log.jsonl").map(({ parentPath }) => parentPath)
}

export type StoredLog = {
  /** The conversation's folder. */
  folder: string
  events: DurableEvent[]
  /** Bytes of a last record whose writing was cut off. */
  tornBytes: number
}

/** The one conversation of a HARNESS_HOME. Throws when its chain does not hold. */
export async function readOnlyLog(home: TemporaryFolder): Promise<StoredLog> {
  const [folder, ...others] = await conversationsIn(home)
  if (folder === undefined || others.length > 0) {
    throw new Error(`the home holds ${others.length + (folder ? 1 : 0)} conversations, not one`)
  }

  const walk = walkChain(await readFile(join(folder, "log.jsonl")), basename(folder))
  if (walk.status === "damaged") throw new Error(`record ${walk.record}: ${walk.reason}`)
  const events = walk.contents.map(content => DurableEvent.parse(JSON.parse(content)))
  return { folder, events, tornBytes: walk.tornBytes }
}

/** The events of one type, in order. */
export function ofType<Type extends DurableEvent["type"]>(
  events: readonly DurableEvent[],
  type: Type,
): Extract<DurableEvent, { type: Type }>[] {
  const isOfType = (event: DurableEvent): event is Extract<DurableEvent, { type: Type }> =>
    event.type === type
  return events.filter(isOfType)
}
