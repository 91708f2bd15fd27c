import type { JsonObject } from "@harness/protocol"
import type { HostAnswer, PersonClock, ProgramFunction, ProgramRun } from "@harness/sdk"
import { nameArguments } from "./arguments.ts"
import type { Deadline } from "./clock.ts"
import { FRAME_LIMIT_BYTES, fromHost } from "./frames.ts"
import type { ChildMessage } from "./messages.ts"

/** An answer as a frame. */
export type Reply = { kind: number; body: string | Uint8Array }

/** Asks the host for one call of a program, and turns what it says into a frame. Never rejects. */
export async function answerCall(
  message: Extract<ChildMessage, { type: "call" }>,
  options: {
    functions: ReadonlyMap<string, ProgramFunction>
    call: ProgramRun["call"]
    /** Held while the host says that it waits for a person. */
    total: Deadline
  },
): Promise<Reply> {
  const callee = options.functions.get(message.name)
  if (!callee) return refusal(`there is no function ${message.name}`)
  const named = nameArguments(callee, message.args, message.kwargs)
  if (named.status === "refused") return refusal(named.message)

  const person = holdForPerson(options.total)
  try {
    return reply(callee.name, await options.call(callee.name, named.input, person))
  } catch (error) {
    // Against the contract. The program gets data, as for any other action that failed.
    return reply(callee.name, { ok: { error: "failed", message: String(error) } })
  } finally {
    person.end()
  }
}

function reply(name: string, answer: HostAnswer): Reply {
  if ("refuse" in answer) return refusal(answer.refuse)
  const body = withTextBeside(answer.ok) ?? JSON.stringify(answer.ok)
  if (typeof body !== "string") {
    if (body.length < FRAME_LIMIT_BYTES) return { kind: fromHost.answerWithText, body }
    return tooLarge(name)
  }
  // A character is at most three bytes; counting them all would cost more than it tells.
  if (body.length * 3 < FRAME_LIMIT_BYTES || Buffer.byteLength(body) < FRAME_LIMIT_BYTES) {
    return { kind: fromHost.answer, body }
  }
  return tooLarge(name)
}

/** A text shorter than this is as well off in the JSON. */
const BESIDE_CHARACTERS = 4_096

/** The body of `answerWithText`; null when no text of the result is worth it. */
function withTextBeside(result: JsonObject): Uint8Array | null {
  const [key, text] = longestText(result)
  // Half a character has no UTF-8; JSON escapes it.
  if (text.length < BESIDE_CHARACTERS || !text.isWellFormed()) return null

  const json = Buffer.from(JSON.stringify([key, { ...result, [key]: "" }]))
  const size = Buffer.alloc(4)
  size.writeUInt32LE(json.length)
  return Buffer.concat([size, json, Buffer.from(text)])
}

function longestText(result: JsonObject): [key: string, text: string] {
  let longest: [string, string] = ["", ""]
  for (const [key, value] of Object.entries(result)) {
    if (typeof value === "string" && value.length > longest[1].length) longest = [key, value]
  }
  return longest
}

function tooLarge(name: string): Reply {
  return refusal(`the result of ${name} is larger than 8 MiB; ask for less at a time`)
}

function refusal(body: string): Reply {
  return { kind: fromHost.refusal, body }
}

/** A person's clock that may be paused twice, resumed never, and is right at the call's end. */
function holdForPerson(total: Deadline): PersonClock & { end(): void } {
  let holding = false
  let ended = false
  const resume = () => {
    if (holding) total.release()
    holding = false
  }

  return {
    pause() {
      if (holding || ended) return
      holding = true
      total.hold()
    },
    resume,
    end() {
      resume()
      ended = true
    },
  }
}
