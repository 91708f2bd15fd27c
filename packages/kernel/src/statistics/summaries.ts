import { join } from "node:path"
import { allConversations, type FoundConversation } from "../conversation/find.ts"
import { type ConversationIndex, type Indexed, openIndex } from "./index-file.ts"
import { readSummary, stateOfLog } from "./read-summary.ts"
import type { Summary } from "./summary.ts"

export type Summarised = { conversation: FoundConversation; summary: Summary }

/** How many logs are read at once. */
const atOnce = 4

/**
 * The summary of every conversation below a home, by key and id. The logs say it; those that are as
 * they were when `index.db` was written are not read again. Works without the index, and without a
 * home, of which nothing is made.
 */
export async function summaries(home: string): Promise<Summarised[]> {
  const conversations = allConversations(home)
  if (conversations.length === 0) return []

  const index = await openIndex(join(home, "index.db"))
  try {
    return await upToDate(conversations, index)
  } finally {
    index?.close()
  }
}

async function upToDate(
  conversations: readonly FoundConversation[],
  index: ConversationIndex | null,
): Promise<Summarised[]> {
  const known = new Map(index?.load().map(row => [placeOf(row.project, row.conversation), row]))
  const changed: Indexed[] = []

  async function summaryOf({ key, id, log }: FoundConversation): Promise<Summary> {
    // Before it is read: what is appended meanwhile makes another state, and is read again.
    const state = stateOfLog(log)
    const place = placeOf(key, id)
    const row = known.get(place)
    known.delete(place)
    if (row !== undefined && row.state === state) return row.summary

    const summary = await readSummary(log)
    if (state !== null) changed.push({ project: key, conversation: id, state, summary })
    return summary
  }

  const found: Summarised[] = []
  for (let from = 0; from < conversations.length; from += atOnce) {
    const some = conversations.slice(from, from + atOnce)
    const read = some.map(async conversation => ({
      conversation,
      summary: await summaryOf(conversation),
    }))
    found.push(...(await Promise.all(read)))
  }

  // What is left in `known` has no log any more.
  if (changed.length > 0 || known.size > 0) index?.save(changed, [...known.values()])
  return found
}

function placeOf(project: string, conversation: string): string {
  return `${project}/${conversation}`
}
