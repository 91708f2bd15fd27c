import { type CommandAnswer, failure } from "@harness/protocol"
import { allConversations, type FoundConversation } from "../conversation/find.ts"
import { readEvents } from "../conversation/log-on-disk.ts"
import { keysOf } from "../conversation/project-key.ts"
import { projectFolder } from "../folder.ts"
import { readSummary } from "../statistics/read-summary.ts"
import { type Summarised, summaries } from "../statistics/summaries.ts"
import { describer } from "./describe.ts"

/**
 * The conversations of a folder's project, or of all, those that were active last first. What does not
 * hold is named; a record that was cut off is no damage. Throws `folders_invalid` and what
 * `projectFolder` throws.
 */
export async function listConversations(
  folder: string | undefined,
  home: string,
): Promise<Extract<CommandAnswer, { type: "conversations" }>> {
  const here = folder === undefined ? null : await projectFolder(folder, home)
  const keys = here === null ? null : await keysOf(here, home)
  const all = await summaries(home)
  const meant = all.filter(({ conversation: { key } }) => keys?.includes(key) ?? true)
  const describe = await describer(
    all.map(({ conversation }) => conversation),
    { home, here },
  )

  const conversations = meant
    .flatMap(summarised => (isDamaged(summarised) ? [] : (describe(summarised) ?? [])))
    .toSorted((one, other) => Date.parse(other.active_at) - Date.parse(one.active_at))
  const damaged = meant.flatMap(summarised => {
    const { conversation, summary } = summarised
    return isDamaged(summarised)
      ? [{ conversation: conversation.id, reason: summary.fault ?? "it holds no record" }]
      : []
  })
  return { type: "conversations", conversations, damaged }
}

function isDamaged({ summary }: Summarised): boolean {
  return summary.log === "damaged" || summary.started_at === null
}

/** All that happened in one. Throws `log_damaged`, `log_unreadable`. */
export async function showConversation(
  conversation: FoundConversation,
  home: string,
): Promise<Extract<CommandAnswer, { type: "show" }>> {
  const events = readEvents(conversation)
  const describe = await describer(allConversations(home), { home, here: null })
  const summary = describe({ conversation, summary: await readSummary(conversation.log) })
  if (summary !== null) return { type: "show", summary, events }
  throw failure("log_damaged", {
    file: conversation.log,
    record: 1,
    reason: "the log holds no record",
  })
}
