import type { DurableEvent, Message } from "@harness/protocol"

/** What a provider said that a request's input came to, and the messages that it held. */
export type Reported = { inputTokens: number; held: WeakSet<Message>; messages: number }

/**
 * The most tokens that a request with these messages can hold: what was reported, and a token for
 * each byte of messages that were not in that request. Some of those may be gone since, after a
 * compaction: what is left of them is no more than all of them were. Without a report that counts, a
 * token for each byte of everything.
 */
export function countInput(
  messages: readonly Message[],
  reported: Reported | undefined,
  fixedBytes: number,
): number {
  if (reported === undefined) return fixedBytes + tokensAtMost(messages)

  const added = messages.filter(message => !reported.held.has(message))
  const most = reported.inputTokens + tokensAtMost(added)
  const isGone = messages.length - added.length < reported.messages
  return isGone ? Math.min(most, fixedBytes + tokensAtMost(messages)) : most
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
  return { inputTokens, held: new WeakSet(messages.slice(0, reply)), messages: reply }
}

const ending = new Set<DurableEvent["type"]>([
  "step_ended",
  "compaction_ended",
  "definitions_changed",
])

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
