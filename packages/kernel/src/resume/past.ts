import type { DurableEvent, Message } from "@harness/protocol"
import { createKnownFiles, type KnownFileTable } from "../loop/known-files.ts"
import { ownCommandsIn } from "../loop/steering/own-command.ts"
import type { Before } from "./before.ts"

/** What a conversation has behind it when it is opened. */
export type Past = {
  /** Null for one that begins. */
  before: Before | null
  /** Every record, with the ends of what was lost. */
  events: readonly DurableEvent[]
  messages: Message[]
  known: KnownFileTable
  /** What its model is told of the time in between. */
  told: string | null
}

export function noPast(): Past {
  return { before: null, events: [], messages: [], known: createKnownFiles(), told: null }
}

/**
 * What the model was to be told with its next message, and that message never came: texts of earlier
 * openings that were lost before a turn began, and what the user ran meanwhile.
 */
export function untoldIn(events: readonly DurableEvent[]): string[] {
  const last = events.findLastIndex(event => event.type === "user_message")
  const since = events.slice(last + 1)
  const texts = since.flatMap(event => {
    if (event.type === "definitions_changed") return [event.announced]
    return event.type === "conversation_resumed" && event.told !== null ? [event.told] : []
  })
  return [...texts, ...ownCommandsIn(since)]
}

/** True when the model was sent this text with a message, or needs not be: it stands there already. */
export function wasSent(events: readonly DurableEvent[], text: string): boolean {
  return events.some(
    event =>
      event.type === "user_message" &&
      event.message.content.some(part => part.type === "text" && part.text === text),
  )
}
