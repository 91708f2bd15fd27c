import type { ServerResponse } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"

/** A call of the scripted model. Arguments given as text go out as they are: they may be malformed. */
export type ScriptedCall = {
  tool: string
  arguments: { readonly [name: string]: unknown } | string
  /** Default `call_<request>_<position>`. */
  id?: string
}

/** A streamed answer, with what should go wrong in it. */
export type ScriptedAnswer = {
  reasoning?: string
  text?: string
  calls?: readonly ScriptedCall[]
  /** Default `tool_calls` with calls, else `stop`; null leaves it out. */
  finish?: string | null
  /** Tokens; default 100 in, 10 out; null leaves usage out. */
  usage?: { input: number; output: number; cached?: number; reasoning?: number } | null
  /** In how many pieces texts and arguments are streamed; default 1. */
  pieces?: number
  /** Waited before the response's headers. */
  delayMs?: number
  /** Waited before each chunk after the first. */
  gapMs?: number
  /** After this many chunks the fault happens in place of the rest. */
  fault?: {
    afterChunks: number
    /** `cut` destroys the socket, `end` ends the response early, `malformed` sends a chunk that is not JSON and goes on. */
    type: "cut" | "end" | "malformed" | "hang" | { error: { message: string; type?: string } }
  }
}

/** A refusal: `body` is sent as JSON, or as it is when it is text. */
type ScriptedRefusal = {
  status: number
  body: unknown
  headers?: Readonly<Record<string, string>>
}

export type ScriptedReply = ScriptedAnswer | ScriptedRefusal

/** Sends the reply as an OpenAI-compatible server would. `n` is the number of the request, from 0. */
export async function sendReply(
  response: ServerResponse,
  reply: ScriptedReply,
  request: { n: number; model: string },
): Promise<void> {
  if ("status" in reply) {
    response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers })
    response.end(typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body))
    return
  }

  if (reply.delayMs !== undefined) await sleep(reply.delayMs)
  response.writeHead(200, { "content-type": "text/event-stream" })
  response.flushHeaders()

  const chunks = chunksOf(reply, request)
  for (const [index, chunk] of chunks.entries()) {
    if (reply.fault?.afterChunks === index && sendFault(response, reply.fault.type)) return
    if (reply.gapMs !== undefined && index > 0) await sleep(reply.gapMs)
    response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  }

  response.end("data: [DONE]\n\n")
}

/** True when the fault is the end of the response. */
function sendFault(
  response: ServerResponse,
  type: NonNullable<ScriptedAnswer["fault"]>["type"],
): boolean {
  if (type === "hang") return true

  if (type === "cut") {
    // The bytes so far must have left, or the client sees no response at all.
    response.write("", () => response.destroy())
    return true
  }

  if (type === "end") {
    response.end()
    return true
  }

  if (type === "malformed") {
    response.write('data: {"choices":[{"del\n\n')
    return false
  }

  response.write(`data: ${JSON.stringify(type)}\n\n`)
  response.end("data: [DONE]\n\n")
  return true
}

function chunksOf(reply: ScriptedAnswer, request: { n: number; model: string }): object[] {
  const { pieces = 1, calls = [], usage = { input: 100, output: 10 } } = reply
  const base = {
    id: `chatcmpl-${request.n}`,
    object: "chat.completion.chunk",
    created: 1_760_000_000,
    model: request.model,
  }
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason }],
  })

  const callChunks = calls.flatMap((call, index) => {
    const id = call.id ?? `call_${request.n}_${index}`
    const text =
      typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments)
    return [
      { index, id, type: "function", function: { name: call.tool, arguments: "" } },
      ...split(text, pieces).map(part => ({ index, function: { arguments: part } })),
    ].map(delta => chunk({ tool_calls: [delta] }))
  })

  const { finish = calls.length > 0 ? "tool_calls" : "stop" } = reply
  return [
    chunk({ role: "assistant", content: "" }),
    ...split(reply.reasoning ?? "", pieces).map(part => chunk({ reasoning_content: part })),
    ...split(reply.text ?? "", pieces).map(part => chunk({ content: part })),
    ...callChunks,
    ...(finish === null ? [] : [chunk({}, finish)]),
    ...(usage === null ? [] : [{ ...base, choices: [], usage: wireUsage(usage) }]),
  ]
}

function wireUsage({ input, output, cached, reasoning }: NonNullable<ScriptedAnswer["usage"]>) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
    ...(reasoning === undefined
      ? {}
      : { completion_tokens_details: { reasoning_tokens: reasoning } }),
  }
}

function split(text: string, pieces: number): string[] {
  if (text === "") return []
  const size = Math.ceil(text.length / pieces)
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  )
}
