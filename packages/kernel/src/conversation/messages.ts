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
 * a call and its results, a result of ours says what the log knows.
 *
 * @example
 * const messages = messagesOf(await log.read())
 */
export function messagesOf(events: readonly DurableEvent[]): Message[] {
  const messages: Message[] = []
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
    } else {
      open?.since.push(event)
    }
  }
  messages.push(...closed(open))
  return messages
}

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
