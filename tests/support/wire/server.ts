import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import { text as textOf } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"
import type { Dialect, Frame, WireAnswer, WireReply } from "./dialect.ts"

/** A request as it came over the wire. */
export type WireRequest = {
  method: string
  path: string
  headers: IncomingHttpHeaders
  /** The body's text, and it parsed. */
  text: string
  body: unknown
  /** Milliseconds on a monotonic clock. */
  atMs: number
  /** Resolves when the client closed the connection before the response was whole. */
  dropped: Promise<void>
}

/**
 * The model's part: replies one by one, or a function of the request and its number (from 0). A
 * request beyond the last reply is refused with status 400, which no client repeats.
 */
export type WireScript =
  | readonly WireReply[]
  | ((request: WireRequest, n: number) => WireReply | Promise<WireReply>)

export type WireServer = {
  /** What a client is given as its base URL. */
  baseUrl: string
  /** Every request so far, in order. */
  requests: WireRequest[]
  close(): Promise<void>
}

/**
 * Starts a server on 127.0.0.1 that speaks a vendor's streaming API and plays a script.
 *
 * @example
 * const server = await startWireServer({ dialect: anthropicMessages, script: [{ text: "Hello." }] })
 */
export async function startWireServer({
  dialect,
  script,
}: {
  dialect: Dialect
  script: WireScript
}): Promise<WireServer> {
  const requests: WireRequest[] = []

  const server = createServer(async (incoming, response) => {
    const dropped = new Promise<void>(resolve => {
      response.once("close", () => {
        if (!response.writableFinished) resolve()
      })
    })
    const { method = "", url: path = "", headers } = incoming
    const text = await textOf(incoming)
    const body: unknown = text === "" ? null : JSON.parse(text)
    const request = { method, path, headers, text, body, atMs: performance.now(), dropped }
    const n = requests.push(request) - 1

    const reply = await replyTo(script, request, n).catch(mistake)
    await sendReply(response, reply, { dialect, n })
  })

  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the server has no port")

  return {
    baseUrl: `http://127.0.0.1:${address.port}${dialect.basePath}`,
    requests,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function replyTo(script: WireScript, request: WireRequest, n: number): Promise<WireReply> {
  const reply = typeof script === "function" ? await script(request, n) : script[n]
  if (reply === undefined) throw new Error(`the script has no reply for request ${n}`)
  return reply
}

/** A script's own mistake must reach the test that wrote it. */
function mistake(error: unknown): WireReply {
  const message = error instanceof Error ? error.message : String(error)
  return { status: 400, message: `wire server: ${message}` }
}

async function sendReply(
  response: ServerResponse,
  reply: WireReply,
  { dialect, n }: { dialect: Dialect; n: number },
): Promise<void> {
  if ("drop" in reply) {
    response.destroy()
    return
  }
  if ("status" in reply) {
    const { status, message = "refused", headers = {} } = reply
    response.writeHead(status, { "content-type": "application/json", ...headers })
    response.end(reply.body ?? JSON.stringify(dialect.errorBody({ status, message })))
    return
  }

  if (reply.delayMs !== undefined) await sleep(reply.delayMs)
  response.writeHead(200, { "content-type": "text/event-stream" })
  response.flushHeaders()
  if (reply.firstByteMs !== undefined) await sleep(reply.firstByteMs)

  await sendFrames(response, reply, { dialect, n })
}

async function sendFrames(
  response: ServerResponse,
  answer: WireAnswer,
  { dialect, n }: { dialect: Dialect; n: number },
): Promise<void> {
  const frames = dialect.frames(answer, n)
  const { fault } = answer
  const sent = fault === undefined ? frames : frames.slice(0, fault.afterFrames)
  for (const frame of sent) await write(response, frame)

  switch (fault?.type) {
    case "cut":
      response.destroy()
      return
    case "hang":
      return
    case "end":
      response.end()
      return
    case "error":
      await write(response, dialect.errorFrame("Overloaded"))
      response.end()
      return
    case "malformed":
      await write(response, { data: '{"type": "' })
      break
    case "unknown":
      await write(response, dialect.unknownFrame)
      break
  }

  for (const frame of frames.slice(sent.length)) await write(response, frame)
  if (dialect.lastFrame !== undefined) await write(response, dialect.lastFrame)
  response.end()
}

/** Resolves when the bytes have left: only then may the socket be destroyed. */
function write(response: ServerResponse, { event, data }: Frame): Promise<void> {
  const name = event === undefined ? "" : `event: ${event}\n`
  const text = typeof data === "string" ? data : JSON.stringify(data)
  return new Promise(resolve => {
    response.write(`${name}data: ${text}\n\n`, () => resolve())
  })
}
