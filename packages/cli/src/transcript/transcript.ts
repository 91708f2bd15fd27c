import type {
  CallPart,
  DurableEvent,
  Ending,
  ImagePart,
  ResultPart,
  UserMessage,
} from "@harness/protocol"
import { wordsOf } from "../printers/action-line.ts"
import { endingInWords } from "../text/conversations.ts"
import { counted, grouped } from "../text/format.ts"

type Of<Type extends DurableEvent["type"]> = Extract<DurableEvent, { type: Type }>

/** An action with its end; null: the log has none. */
export type TranscriptAction = {
  proposed: Of<"action_proposed">
  ended: Of<"action_ended"> | null
  answered: Of<"request_answered"> | null
}

/** A call of the model with what came of it. */
export type TranscriptCall = {
  type: "call"
  tool: string
  /** As they came. */
  arguments: string
  program: { started: Of<"program_started">; ended: Of<"program_ended"> | null } | null
  actions: TranscriptAction[]
  /** What the model was told; null: nothing was. */
  result: ResultPart | null
}

/** What a reader of a conversation is shown, in the order of what happened. */
export type TranscriptItem =
  | { type: "turn"; turn: number; at: string }
  | { type: "user"; texts: string[]; images: ImagePart[] }
  | { type: "assistant"; text: string }
  | { type: "reasoning"; text: string }
  | TranscriptCall
  /** What no call proposed: the user's own commands, verification, undo. */
  | { type: "action"; action: TranscriptAction }
  | { type: "process"; proposed: Of<"action_proposed"> | null; ended: Of<"process_ended"> }
  | { type: "note"; text: string; bad: boolean }
  | { type: "ending"; text: string; good: boolean }

/**
 * Makes a conversation of its events.
 *
 * @example
 * transcriptOf(events).filter(item => item.type === "user")
 */
export function transcriptOf(events: readonly DurableEvent[]): TranscriptItem[] {
  const items: TranscriptItem[] = []
  const calls = new Map<string, TranscriptCall>()
  const programs = new Map<number, TranscriptCall>()
  const actions = new Map<string, TranscriptAction>()
  const requests = new Map<string, TranscriptAction>()
  const note = (text: string, bad = false) => items.push({ type: "note", text, bad })

  for (const event of events) {
    switch (event.type) {
      case "turn_started":
        items.push({ type: "turn", turn: event.turn, at: event.at })
        break
      case "user_message":
        items.push(saidBy(event.message))
        break
      case "step_ended":
        for (const part of event.message.content) {
          if (part.type === "call") {
            const call = callOf(part)
            items.push(call)
            calls.set(part.id, call)
          } else if (part.text.trim() !== "") {
            items.push({ type: part.type === "text" ? "assistant" : "reasoning", text: part.text })
          }
        }
        break
      case "program_started": {
        const call = calls.get(event.call_id)
        if (call === undefined) break
        call.program = { started: event, ended: null }
        programs.set(event.program, call)
        break
      }
      case "program_ended": {
        const program = programs.get(event.program)?.program
        if (program) program.ended = event
        break
      }
      case "action_proposed": {
        const action: TranscriptAction = { proposed: event, ended: null, answered: null }
        actions.set(event.action_id, action)
        const call = "call_id" in event.origin ? calls.get(event.origin.call_id) : undefined
        if (call === undefined) items.push({ type: "action", action })
        else call.actions.push(action)
        break
      }
      case "request_opened": {
        const { subject } = event
        const action = "action_id" in subject ? actions.get(subject.action_id) : undefined
        if (action !== undefined) requests.set(event.request, action)
        break
      }
      case "request_answered": {
        const action = requests.get(event.request)
        if (action !== undefined) action.answered = event
        break
      }
      case "action_ended": {
        const action = actions.get(event.action_id)
        if (action !== undefined) action.ended = event
        break
      }
      case "process_ended": {
        const proposed = actions.get(event.action_id)?.proposed ?? null
        items.push({ type: "process", proposed, ended: event })
        break
      }
      case "results":
        for (const result of event.message.content) {
          const call = calls.get(result.call_id)
          if (call !== undefined) call.result ??= result
        }
        break
      case "turn_ended":
        items.push(endingOf(event))
        break
      default: {
        const told = noteOf(event)
        if (told !== null) note(told.text, told.bad)
      }
    }
  }
  return items
}

function saidBy({ content }: UserMessage): TranscriptItem {
  return {
    type: "user",
    texts: content.flatMap(part => (part.type === "text" ? [part.text] : [])),
    images: content.flatMap(part => (part.type === "image" ? [part] : [])),
  }
}

function callOf({ tool, arguments: given }: CallPart): TranscriptCall {
  return { type: "call", tool, arguments: given, program: null, actions: [], result: null }
}

function endingOf({ ending, verification }: Of<"turn_ended">): TranscriptItem {
  const checked = verification === "not_requested" ? [] : [`verification ${verification}`]
  const text = [endingInWords(ending), ...checked, ...reasonsOf(ending)].join(" · ")
  return { type: "ending", text, good: ending.status === "answered" && verification !== "failed" }
}

function reasonsOf(ending: Ending): string[] {
  switch (ending.status) {
    case "answered":
      return []
    case "limit_reached":
      return [ending.message]
    case "interrupted":
      return [ending.reason]
    case "failed":
      return [ending.failure.message]
  }
}

/** What changed beside the dialogue, in a sentence; null for what a reader needs not know. */
function noteOf(event: DurableEvent): { text: string; bad: boolean } | null {
  const told = (text: string, bad = false) => ({ text, bad })
  switch (event.type) {
    case "conversation_started":
      return told(settingsOf(event))
    case "conversation_resumed":
      return told(
        [`resumed · ${settingsOf(event)}`, ...(event.told ? [event.told] : [])].join("\n"),
      )
    case "conversation_forked":
      return told(`forked from ${event.from}: what follows up to its end was said there`)
    case "settings_changed": {
      const { model, style, approve } = event
      const changed = [model, style, approve && `approve ${approve}`].filter(word => word)
      return told(`from here on ${changed.join(" · ")}`)
    }
    case "step_failed":
      return told(`step ${event.step} failed: ${event.failure.message}`, true)
    case "compaction_ended":
      return event.status === "failed"
        ? told(`compaction failed: ${event.reason ?? "nobody knows why"}`, true)
        : told(
            `compacted: ${counted(event.replaced, "message")}, ${grouped(event.tokens.before)} → ${grouped(event.tokens.after)} tokens`,
          )
    case "verification_ended":
      return told(
        `verification ${wordsOf(event.verification)}: ${event.command}`,
        event.verification === "failed",
      )
    case "undo_ended":
      return told(`undone: ${event.done.join(", ") || "nothing"}`)
    case "evidence_redacted":
      return told(`${event.sha256} was redacted: ${event.reason ?? "no reason was given"}`)
    case "artifacts_collected":
      return told("gc removed the evidence and outputs of all that stands before")
    case "notice":
      return told(event.message)
    default:
      return null
  }
}

function settingsOf(event: Of<"conversation_started" | "conversation_resumed">): string {
  const { model, style, approve, sandbox, at } = event
  return `${at} · ${model} · ${style} · approve ${approve} · sandbox ${sandbox}`
}
