import { basename, dirname, join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type AssistantPart, failure, type Message, type ResultPart } from "@harness/protocol"
import { defineProvider, type ModelEvent, type ModelRequest } from "@harness/sdk"
import { divergenceOf } from "./divergence.ts"
import { type RecordedMessage, type Recording, readRecording } from "./recording.ts"

/** Texts and arguments come in pieces of this many characters, as they would from a model. */
const deltaCharacters = 40

/**
 * Plays the messages of a recording in the place of a model: `replay/<path of recording.jsonl>`.
 *
 * Each request is answered with the message that follows those in the conversation, if the results
 * before it ended as they did in the recording; else it throws `replay_diverged` with the first
 * difference. So the messages are old and everything that they do is real.
 */
export const replay = defineProvider({
  name: "replay",

  async create({ model }) {
    const path = resolve(model)
    const recording = await readRecording(path)
    const count = recording.messages.length

    return {
      stream: (request, signal) => play(recording, shortName(path), request, signal),
      modelName: recording.model,
      notice: `Replaying ${count} recorded messages of ${recording.model}: no model is asked, everything else is real.`,
      ...(recording.price !== undefined && { price: recording.price }),
    }
  },

  /** A recording is named by its path. */
  models: async () => [],
})

/** The file and its folder: what is said of it goes into the log, which names no place in full. */
function shortName(path: string): string {
  return join(basename(dirname(path)), basename(path))
}

async function* play(
  recording: Recording,
  name: string,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  signal.throwIfAborted()
  const next = nextMessage(recording, name, request.messages)
  if (next.delay_ms !== undefined) await wait(next.delay_ms, signal)

  for (const part of next.message.content) {
    for (const delta of deltasOf(part)) {
      yield delta
      signal.throwIfAborted()
    }
    yield { type: "part", part }
    signal.throwIfAborted()
  }

  yield { type: "finish", reason: next.finish, usage: next.usage }
}

/** The recorded message that comes now. Throws `replay_diverged`. */
function nextMessage(
  { messages }: Recording,
  recording: string,
  conversation: readonly Message[],
): RecordedMessage {
  const given = conversation.filter(message => message.role === "assistant").length
  const next = messages[given]
  const diverged = (expected: string, found: string) =>
    failure("replay_diverged", { recording, expected, found, message: given + 1 })

  if (next === undefined) {
    throw diverged(`no request after its ${messages.length} messages`, "one more request")
  }

  const difference = divergenceOf(next.expect, lastResults(conversation))
  if (difference !== null) throw diverged(difference.expected, difference.found)
  return next
}

/** The results after the model's last message. */
function lastResults(conversation: readonly Message[]): ResultPart[] {
  const last = conversation.findLastIndex(message => message.role === "assistant")
  return conversation
    .slice(last + 1)
    .flatMap(message => (message.role === "tool" ? message.content : []))
}

async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal })
  } catch (error) {
    // The timer rejects with an error of its own.
    signal.throwIfAborted()
    throw error
  }
}

function deltasOf(part: AssistantPart): ModelEvent[] {
  if (part.type !== "call") {
    return pieces(part.text).map(text => ({ type: "delta", of: part.type, text }))
  }
  const { id, tool } = part
  return pieces(part.arguments).map(text => ({ type: "delta", of: "call", id, tool, text }))
}

/** Cut between characters, never inside one. */
function pieces(text: string): string[] {
  const characters = Array.from(text)
  return Array.from({ length: Math.ceil(characters.length / deltaCharacters) }, (_, index) =>
    characters.slice(index * deltaCharacters, (index + 1) * deltaCharacters).join(""),
  )
}
