import { homedir } from "node:os"
import { join } from "node:path"
import { type ConversationSummary, Ending } from "@harness/protocol"
import * as z from "zod"
import type { FoundConversation } from "../conversation/find.ts"
import { readFolders } from "../conversation/folders.ts"
import { holderOf } from "../conversation/lock.ts"
import { createPlaceholders } from "../conversation/placeholders.ts"
import { type KeptPlaces, readPlaces } from "../conversation/places-file.ts"
import { remoteOfKey } from "../statistics/project-names.ts"
import type { Summarised } from "../statistics/summaries.ts"
import type { Summary } from "../statistics/summary.ts"
import { shortIds } from "./short-ids.ts"

/** Makes of what a log says what a list shows; null when the log holds no record. */
type Describe = (summarised: Summarised) => ConversationSummary | null

/** `all` are those of the home; `here` is a folder that may tell a project's remote. */
export async function describer(
  all: readonly FoundConversation[],
  { home, here }: { home: string; here: string | null },
): Promise<Describe> {
  const { aliases } = await readFolders(join(home, "folders.json"))
  const shortIdOf = shortIds(all.map(({ id }) => id))
  const remoteOf = remotes(here)

  return ({ conversation, summary }) => {
    const { id, key, folder } = conversation
    const { model, turns, steps, cost, steps_without_cost, started_at, last_at } = summary
    if (started_at === null || last_at === null) return null

    const places = readPlaces(conversation.places)
    return {
      id,
      short_id: shortIdOf(id),
      ...textsOf(summary, places),
      folder: places?.root ?? null,
      remote: remoteOf(aliases[key] ?? key, places?.root),
      model: model ?? "unknown",
      started_at,
      active_at: last_at,
      turns,
      steps,
      cost: steps_without_cost > 0 ? null : cost,
      open: holderOf(folder) !== null,
    }
  }
}

/** The remote of a project, from the first folder that tells it; each folder is asked once. */
function remotes(here: string | null) {
  const known = new Map<string, string | null>()

  function ask(key: string, folder: string): string | null {
    const question = `${key} ${folder}`
    const before = known.get(question)
    if (before !== undefined) return before
    const remote = remoteOfKey(folder, key)
    known.set(question, remote)
    if (remote !== null) known.set(key, remote)
    return remote
  }

  return (key: string, folder: string | undefined): string | null => {
    const found = known.get(key) ?? (folder === undefined ? null : ask(key, folder))
    return found ?? (here === null ? null : ask(key, here))
  }
}

const Texts = z.object({ title: z.string(), ending: Ending.nullable() })

/** With the places of today in the place of placeholders. */
function textsOf(
  { title, ending }: Summary,
  places: KeptPlaces | null,
): Pick<ConversationSummary, "title" | "ending"> {
  const texts = { title: title ?? "", ending }
  const stored = JSON.stringify(texts)
  if (!/\{!*(root|home|temp)\}/.test(stored)) return texts
  const known = places ?? { root: "{root}", home: homedir(), temp: "{temp}" }
  return Texts.parse(JSON.parse(createPlaceholders(known).decode(stored)))
}
