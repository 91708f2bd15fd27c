import type { DurableEvent, EventBody } from "@harness/protocol"
import type { LogHead } from "@harness/sdk"
import { chainedLine, nextHash, startOfChain } from "../conversation/chain.ts"
import { createPlaceholders } from "../conversation/placeholders.ts"
import { type KeptPlaces, placeholdersAt } from "../conversation/places-file.ts"
import { eventsOf } from "../conversation/records.ts"

/** A log that is ready to be written. */
type ForkedLog = {
  /** Its records with their hashes. */
  lines: string
  head: LogHead
  events: DurableEvent[]
}

/**
 * The log of a fork: its own first record, the other one's records under new numbers and with their
 * dates, and what happened to them since. The chain is the fork's own. Throws `log_damaged`.
 */
export function forkedLog(options: {
  id: string
  /** Now. */
  at: string
  from: string
  /** The records that are copied, as they are stored. */
  contents: readonly string[]
  /** What the placeholders stand for; null: nobody knows here. */
  places: KeptPlaces | null
  since: readonly Exclude<EventBody, { type: "turn_ended" }>[]
}): ForkedLog {
  const { id, at, from, contents: copied } = options
  const places = options.places ?? { root: "{root}", home: "{home}", temp: "{temp}" }
  const placeholders = createPlaceholders(places)
  const contents: string[] = []
  let hash = startOfChain(id)
  let lines = ""

  function append(content: string): void {
    hash = nextHash(hash, content)
    lines += chainedLine(content, hash)
    contents.push(content)
  }

  function record(body: Exclude<EventBody, { type: "turn_ended" }>): void {
    append(placeholders.encode(JSON.stringify({ seq: contents.length + 1, at, ...body })))
  }

  record({ type: "conversation_forked", conversation: id, from, from_seq: copied.length })
  for (const content of copied) append(renumbered(content, { seq: contents.length + 1, hash }))
  for (const body of options.since) record(body)
  return {
    lines,
    head: { seq: contents.length, hash },
    events: eventsOf(contents, { file: `the fork ${id}`, placeholders: placeholdersAt(places) }),
  }
}

/** As it is stored: a number stands first in a record, and the head that a turn's end names last. */
function renumbered(content: string, { seq, hash }: LogHead): string {
  const numbered = content.replace(/^\{"seq":\d+/, `{"seq":${seq}`)
  const endsTurn = /^\{"seq":\d+,"at":"[^"]*","type":"turn_ended"/.test(numbered)
  return endsTurn ? numbered.replace(/"head":"[0-9a-f]{64}"\}$/, `"head":"${hash}"}`) : numbered
}
