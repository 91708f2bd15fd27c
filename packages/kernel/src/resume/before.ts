import type { DurableEvent, Repository } from "@harness/protocol"

type Of<Type extends DurableEvent["type"]> = Extract<DurableEvent, { type: Type }>

/** What a log says of its conversation, as it was left. */
export type Before = {
  settings: Pick<Of<"conversation_resumed">, "model" | "style" | "approve" | "sandbox" | "network">
  /** The kind of its environment; null when none was opened. */
  kind: string | null
  /** With what its requests began. */
  definitions: Pick<Of<"conversation_started">, "instructions" | "tools">
  /** How its repository was when somebody looked last. */
  repository: Repository | null
  /** What happened since it was opened last: what its model was told at that opening counts no more. */
  session: readonly DurableEvent[]
  turns: number
  programs: number
  actions: number
}

/** Null when the log has no beginning: then there is nothing to go on with. */
export function beforeOf(events: readonly DurableEvent[]): Before | null {
  const started = events.find(event => event.type === "conversation_started")
  if (started === undefined) return null

  const opened = events.findLast(isOpening) ?? started
  const session = events.slice(opened.seq)
  const definitions = events.findLast(event => event.type === "definitions_changed") ?? started
  const closed = session.findLast(event => event.type === "conversation_closed")
  return {
    settings: settingsOf(opened, session),
    kind: events.findLast(event => event.type === "environment_opened")?.kind ?? null,
    definitions: { instructions: definitions.instructions, tools: definitions.tools },
    repository: closed?.repository ?? opened.repository,
    session,
    turns: highest(events, event => (event.type === "turn_started" ? event.turn : 0)),
    programs: highest(events, event => (event.type === "program_started" ? event.program : 0)),
    actions: highest(events, event =>
      event.type === "action_proposed" ? Number(event.action_id.slice(1)) : 0,
    ),
  }
}

/** As it was opened last, and as the user chose otherwise since. */
function settingsOf(
  { model, style, approve, sandbox, network }: Before["settings"],
  session: readonly DurableEvent[],
): Before["settings"] {
  let settings = { model, style, approve, sandbox, network }
  for (const event of session) {
    if (event.type !== "settings_changed") continue
    settings = {
      ...settings,
      model: event.model ?? settings.model,
      style: event.style ?? settings.style,
      approve: event.approve ?? settings.approve,
    }
  }
  return settings
}

function isOpening(
  event: DurableEvent,
): event is Of<"conversation_started" | "conversation_resumed"> {
  return event.type === "conversation_started" || event.type === "conversation_resumed"
}

function highest(
  events: readonly DurableEvent[],
  numberOf: (event: DurableEvent) => number,
): number {
  return events.reduce((most, event) => Math.max(most, numberOf(event)), 0)
}
