import { createServer, type IncomingMessage } from "node:http"
import * as z from "zod"
import { type ScriptedReply, sendReply } from "./scripted-reply.ts"

export type { ScriptedAnswer, ScriptedCall, ScriptedReply } from "./scripted-reply.ts"

const ChatMessage = z.looseObject({
  role: z.string(),
  content: z.unknown(),
  tool_call_id: z.string().optional(),
})

const ChatBody = z.looseObject({
  model: z.string(),
  messages: z.array(ChatMessage),
  tools: z
    .array(z.looseObject({ type: z.string(), function: z.looseObject({ name: z.string() }) }))
    .default([]),
})

/** A request as it came over the wire. */
type ScriptedRequest = {
  method: string
  path: string
  headers: IncomingMessage["headers"]
  /** The body's text, and it parsed. */
  text: string
  body: z.infer<typeof ChatBody>
  /** The texts of the tool results after the last assistant message. */
  results: string[]
  /** Resolves when the client closed the connection before the response was whole. */
  dropped: Promise<void>
}

/**
 * The model's part: replies one by one, or a function of the request and its number (from 0).
 * A request beyond the last reply is answered with status 400, which no client repeats.
 */
export type Script =
  | readonly ScriptedReply[]
  | ((request: ScriptedRequest, n: number) => ScriptedReply | Promise<ScriptedReply>)

export type ScriptedServer = {
  /** For OPENAI_BASE_URL: `http://127.0.0.1:<port>/v1`. */
  baseUrl: string
  /** Every request so far, in order. */
  requests: ScriptedRequest[]
  close(): Promise<void>
}

/**
 * Starts an OpenAI-compatible server (streaming chat completions) on 127.0.0.1 that plays a script.
 *
 * @example
 * const server = await startScriptedServer({
 *   script: [
 *     { calls: [{ tool: "bash", arguments: { command: "echo hi" } }] },
 *     { text: "It printed hi." },
 *   ],
 * })
 */
export async function startScriptedServer({ script }: { script: Script }): Promise<ScriptedServer> {
  const requests: ScriptedRequest[] = []

  const server = createServer(async (incoming, response) => {
    const dropped = new Promise<void>(resolve => {
      response.once("close", () => {
        if (!response.writableFinished) resolve()
      })
    })

    try {
      const request = { ...(await readRequest(incoming)), dropped }
      const n = requests.push(request) - 1
      const reply = await replyTo(script, request, n)
      await sendReply(response, reply, { n, model: request.body.model })
    } catch (error) {
      // A script's own mistake must reach the test that wrote it.
      const message = error instanceof Error ? error.message : String(error)
      if (!response.headersSent) response.writeHead(400, { "content-type": "application/json" })
      response.end(JSON.stringify({ error: { message: `scripted server: ${message}` } }))
    }
  })

  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the server has no port")

  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    requests,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function replyTo(
  script: Script,
  request: ScriptedRequest,
  n: number,
): Promise<ScriptedReply> {
  if (!request.path.endsWith("/chat/completions")) {
    return { status: 404, body: { error: { message: `no such path: ${request.path}` } } }
  }

  if (typeof script === "function") return script(request, n)
  const reply = script[n]
  if (reply === undefined) throw new Error(`the script has no reply for request ${n}`)
  return reply
}

async function readRequest(incoming: IncomingMessage): Promise<Omit<ScriptedRequest, "dropped">> {
  const parts: Uint8Array[] = []
  for await (const part of incoming) parts.push(part)

  const text = Buffer.concat(parts).toString("utf8")
  const body = ChatBody.parse(JSON.parse(text === "" ? '{"model":"","messages":[]}' : text))
  const lastAssistant = body.messages.findLastIndex(message => message.role === "assistant")

  return {
    method: incoming.method ?? "",
    path: incoming.url ?? "",
    headers: incoming.headers,
    text,
    body,
    results: body.messages
      .slice(lastAssistant + 1)
      .filter(message => message.role === "tool")
      .map(message => String(message.content)),
  }
}
