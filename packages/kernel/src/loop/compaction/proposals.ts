import type { DurableEvent, JsonObject } from "@harness/protocol"
import { asRan } from "../../conversation/as-ran.ts"

/** The actions of a conversation by their ids: what each was about, and which call it came from. */
export type Proposals = ReadonlyMap<string, { title: string; callId: string | null }>

export function proposalsIn(events: readonly DurableEvent[]): Proposals {
  const proposals = new Map<string, { title: string; callId: string | null }>()
  for (const event of asRan(events)) {
    if (event.type !== "action_proposed") continue
    const callId = "call_id" in event.origin ? event.origin.call_id : null
    proposals.set(event.action_id, { title: titleOf(event.action, event.input), callId })
  }
  return proposals
}

const shownCharacters = 120

/** The action and what it was about, in one line. */
function titleOf(action: string, input: JsonObject): string {
  const subject = input.command ?? input.path ?? input.pattern ?? ""
  const text = typeof subject === "string" ? subject : JSON.stringify(subject)
  const line = `${action} ${text}`.replace(/\s+/g, " ").trim()
  return line.length > shownCharacters ? `${line.slice(0, shownCharacters)}…` : line
}
