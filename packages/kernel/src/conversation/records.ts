import { DurableEvent, failure } from "@harness/protocol"
import * as z from "zod"
import { inWords } from "../config/errno.ts"
import type { Placeholders } from "./placeholders.ts"
import type { PlaceholdersAt } from "./places-file.ts"

/** The record, or why it is none: a record whose hash holds can still be of a later version. */
export type ParsedRecord =
  | { status: "event"; event: DurableEvent }
  | { status: "invalid"; reason: string }

/** A line of a log without its hash as the event that it is. `record` counts from 1. */
export function parseRecord(
  content: string,
  record: number,
  placeholders: Placeholders,
): ParsedRecord {
  try {
    const event = DurableEvent.safeParse(JSON.parse(placeholders.decode(content)))
    if (!event.success) {
      const reason = `it is not an event of this version: ${z.prettifyError(event.error)}`
      return { status: "invalid", reason }
    }
    if (event.data.seq === record) return { status: "event", event: event.data }
    return { status: "invalid", reason: `its number is ${event.data.seq}` }
  } catch (error) {
    return { status: "invalid", reason: `it is not JSON: ${inWords(error)}` }
  }
}

/** All of them. Throws `log_damaged` for the first that is no event. */
export function eventsOf(
  contents: readonly string[],
  { file, placeholders }: { file: string; placeholders: PlaceholdersAt },
): DurableEvent[] {
  return contents.map((content, index) => {
    const parsed = parseRecord(content, index + 1, placeholders(index + 1))
    if (parsed.status === "event") return parsed.event
    throw failure("log_damaged", { file, record: index + 1, reason: parsed.reason })
  })
}
