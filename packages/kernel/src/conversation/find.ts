import { closeSync, existsSync, openSync, readdirSync, readSync } from "node:fs"
import { join } from "node:path"
import { failure } from "@harness/protocol"
import { errnoOf } from "../config/errno.ts"
import { type ConversationPlaces, conversationPlaces } from "./layout.ts"

/** A conversation that is on the disk. */
export type FoundConversation = ConversationPlaces & { id: string; key: string }

/**
 * The conversation of that id, of which `name` may be the beginning; `last` is the one that was begun
 * last. Throws `conversation_unknown`, `conversation_ambiguous`.
 *
 * @example
 * findConversation(home, "4b82") // { id: "4b825dc642cb", key: "github.com-jo-shop-1f3a…", log, … }
 */
export function findConversation(home: string, name: string): FoundConversation {
  if (name === "last") {
    const last = lastBegun(allConversations(home))
    if (last === undefined) throw unknown("last")
    return last
  }
  const exact = ofId(home, name)
  if (exact !== undefined) return exact

  const begun = name === "" ? [] : allConversations(home).filter(({ id }) => id.startsWith(name))
  const [only] = begun
  if (only === undefined) throw unknown(name)
  if (begun.length === 1) return only

  const shown = begun.slice(0, shownIds).map(({ id }) => id)
  const found = shown.join(", ") + (begun.length > shown.length ? ", …" : "")
  throw failure("conversation_ambiguous", { conversation: name, count: begun.length, found })
}

const shownIds = 5

/** Every conversation below a home, by key and id. */
export function allConversations(home: string): FoundConversation[] {
  const projects = join(home, "projects")
  return foldersIn(projects).flatMap(key =>
    foldersIn(join(projects, key)).flatMap(id => at(home, key, id) ?? []),
  )
}

/** Looks into each project for that one name: there may be thousands of others. */
function ofId(home: string, id: string): FoundConversation | undefined {
  if (!/^\w+$/.test(id)) return undefined
  const found = foldersIn(join(home, "projects")).map(key => at(home, key, id))
  return found.find(conversation => conversation !== undefined)
}

function at(home: string, key: string, id: string): FoundConversation | undefined {
  const places = conversationPlaces(home, { key, conversation: id })
  return existsSync(places.log) ? { id, key, ...places } : undefined
}

function foldersIn(folder: string): string[] {
  try {
    return (
      readdirSync(folder, { withFileTypes: true })
        .filter(entry => entry.isDirectory())
        .map(({ name }) => name)
        // What is being made or removed.
        .filter(name => !name.startsWith("."))
        .toSorted()
    )
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") return []
    throw error
  }
}

/** The one that was begun last. */
export function lastBegun(all: readonly FoundConversation[]): FoundConversation | undefined {
  const begun = all.map(conversation => ({ conversation, at: beginningOf(conversation.log) }))
  const last = begun.reduce<(typeof begun)[number] | undefined>(
    (latest, each) => (latest === undefined || each.at >= latest.at ? each : latest),
    undefined,
  )
  return last?.conversation
}

/** The date of a log's first record, as text that sorts; empty when it has none. */
function beginningOf(log: string): string {
  const start = Buffer.alloc(dateBytes)
  const descriptor = openSync(log, "r")
  try {
    readSync(descriptor, start, 0, start.length, 0)
  } finally {
    closeSync(descriptor)
  }
  return /^\{"seq":1,"at":"([^"]+)"/.exec(start.toString("latin1"))?.[1] ?? ""
}

/** A record begins with its number and its date. */
const dateBytes = 64

function unknown(conversation: string) {
  return failure("conversation_unknown", { conversation })
}
