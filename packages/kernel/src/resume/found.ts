import { join } from "node:path"
import { failure, type OpenConversation } from "@harness/protocol"
import {
  allConversations,
  type FoundConversation,
  findConversation,
  lastBegun,
} from "../conversation/find.ts"
import { readPlaces } from "../conversation/places-file.ts"
import { keysOf } from "../conversation/project-key.ts"
import { projectFolder } from "../folder.ts"

/** The conversation that is to go on, and the folder in which it will. Nothing is held yet. */
export type ConversationToResume = {
  conversation: FoundConversation
  /** By its real path. */
  folder: string
}

/**
 * Finds it by its id, a beginning of it, or `last`: the one of the folder's project that was begun
 * last. The folder must be of the conversation's project: the same git remote, or the folder itself.
 * Throws `conversation_unknown`, `conversation_ambiguous`, `conversation_elsewhere`, and what
 * `projectFolder` throws.
 */
export async function findToResume(
  {
    resume,
    folder,
    elsewhere,
  }: Pick<OpenConversation, "folder" | "elsewhere"> & { resume: string },
  home: string,
): Promise<ConversationToResume> {
  const here = await projectFolder(folder, home)
  const keys = await keysOf(here, home)
  if (resume === "last") {
    const conversation = lastBegun(allConversations(home).filter(({ key }) => keys.includes(key)))
    if (conversation !== undefined) return { conversation, folder: here }
    throw failure("conversation_unknown", { conversation: `of the project in ${here}` })
  }

  const conversation = findConversation(home, resume)
  if (keys.includes(conversation.key)) return { conversation, folder: here }

  const before = readPlaces(conversation.places)?.root
  const there = before === undefined ? undefined : await usable(before, conversation.key, home)
  if (elsewhere && there !== undefined) return { conversation, folder: there }
  throw failure("conversation_elsewhere", {
    conversation: conversation.id,
    folder: here,
    folders: join(home, "folders.json"),
    reason: reasonOf(before, there),
  })
}

/** Where it worked, if that is there and of the same project still. */
async function usable(folder: string, key: string, home: string): Promise<string | undefined> {
  const real = await projectFolder(folder, home).catch(() => undefined)
  if (real !== folder) return undefined
  return (await keysOf(real, home)).includes(key) ? real : undefined
}

function reasonOf(before: string | undefined, there: string | undefined): string {
  if (before === undefined) return "it was not begun on this machine"
  return there === undefined
    ? `it worked in ${before}, which is not there any more`
    : `it worked in ${before}`
}
