import type { DurableEvent, Message } from "@harness/protocol"

/** What a provider said that a request's input came to, and how far the messages went then. */
export type Reported = {
  inputTokens: number
  messages: number
  /** The last of them: when another one stands there, the messages are no longer those. */
  lastMessage: Message | undefined
}

/**
 * The most tokens that a request with these messages can hold: what was reported, and a token for
 * each byte since. Without a report that still counts, a token for each byte of everything.
 */
export function countInput(
  messages: readonly Message[],
  reported: Reported | undefined,
  fixedBytes: number,
): number {
  if (reported === undefined || !isPrefix(reported, messages)) {
    return fixedBytes + tokensAtMost(messages)
  }
  return reported.inputTokens + tokensAtMost(messages.slice(reported.messages))
}

/**
 * The last report of a conversation that goes on; undefined where it tells nothing about the next
 * request: the model is another one, or the definitions or the messages were changed since.
 */
export function reportedIn(
  events: readonly DurableEvent[],
  messages: readonly Message[],
  model: string,
): Reported | undefined {
  const last = events.findLast(({ type }) => ending.has(type))
  if (last?.type !== "step_ended" || last.model !== model) return undefined

  const inputTokens = last.usage.input_tokens
  const reply = messages.lastIndexOf(last.message)
  if (inputTokens === null || reply < 0) return undefined
  return { inputTokens, messages: reply, lastMessage: messages[reply - 1] }
}

const ending = new Set<DurableEvent["type"]>([
  "step_ended",
  "compaction_ended",
  "definitions_changed",
])

function isPrefix({ messages: count, lastMessage }: Reported, messages: readonly Message[]) {
  return messages.length >= count && messages[count - 1] === lastMessage
}

/** No tokenizer makes more tokens than bytes; what a message has around it is JSON here too. */
function tokensAtMost(messages: readonly Message[]): number {
  let tokens = 0
  for (const message of messages) {
    tokens += Buffer.byteLength(JSON.stringify(message)) + imagesIn(message) * imageTokens
  }
  return tokens
}

/** More than any vendor counts for one image of the size that is sent. */
const imageTokens = 6_000

function imagesIn({ role, content }: Message): number {
  if (role === "user") return content.filter(part => part.type === "image").length
  if (role === "assistant") return 0
  return content.reduce((count, result) => count + (result.images?.length ?? 0), 0)
}
