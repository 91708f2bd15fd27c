import type {
  AssistantMessage,
  CallPart,
  DurableEvent,
  Message,
  ResultPart,
  UserMessage,
} from "@harness/protocol"
import { resultOfLostCall } from "./lost-call.ts"

/**
 * The messages of a log, as the next model request needs them: every call has exactly one result,
 * right after the message that made it. Valid for every prefix of a log: where a crash came between
 * a call and its results, a result of ours says what the log knows. What was compacted is replaced by
 * its record, as it was for the model.
 *
 * @example
 * const messages = messagesOf(await log.read())
 */
export function messagesOf(events: readonly DurableEvent[]): Message[] {
  let messages: Message[] = []
  let open: OpenStep | null = null

  for (const event of events) {
    if (event.type === "step_ended") {
      messages.push(...closed(open))
      open = { message: event.message, results: [], since: [], users: [] }
    } else if (event.type === "user_message") {
      if (open === null) messages.push(event.message)
      else open.users.push(event.message)
    } else if (event.type === "results") {
      open?.results.push(...event.message.content)
    } else if (event.type === "compaction_ended") {
      messages.push(...closed(open))
      open = null
      if (event.status === "compacted") messages = compacted(messages, event)
    } else {
      open?.since.push(event)
    }
  }
  messages.push(...closed(open))
  return messages
}

/** The record in the place of all but the last `kept`. */
function compacted(messages: readonly Message[], event: Compacted): Message[] {
  return [...event.messages, ...messages.slice(messages.length - event.kept)]
}

type Compacted = Pick<Extract<DurableEvent, { type: "compaction_ended" }>, "messages" | "kept">

/** A reply and what came after it, until the next one. */
type OpenStep = {
  message: AssistantMessage
  results: ResultPart[]
  /** What happened to its calls. */
  since: DurableEvent[]
  /** What the user said since: it stands after the results, whenever it came. */
  users: UserMessage[]
}

function closed(step: OpenStep | null): Message[] {
  if (step === null) return []
  const calls = step.message.content.filter(part => part.type === "call")
  const results = calls.map(call => takeResult(step, call) ?? resultOfLostCall(call, step.since))
  return [
    ...(step.message.content.length > 0 ? [step.message] : []),
    ...(results.length > 0 ? [{ role: "tool" as const, content: results }] : []),
    ...step.users,
  ]
}

/** Taken out, so that two calls which a provider gave one id get a result each. */
function takeResult(step: OpenStep, call: CallPart): ResultPart | undefined {
  const index = step.results.findIndex(({ call_id }) => call_id === call.id)
  return index < 0 ? undefined : step.results.splice(index, 1)[0]
}
