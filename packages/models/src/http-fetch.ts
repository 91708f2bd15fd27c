import type { Agent, IncomingMessage, RequestOptions } from "node:http"
import { type ProxyServer, proxyFor } from "./proxy.ts"
import { ProxyFault, unauthenticated } from "./proxy-fault.ts"

export type HttpFetchOptions = {
  /** HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY are read from it, in either case of letters. */
  env: Readonly<Record<string, string | undefined>>
  /** Where the requests will go: what they need is loaded at once, and not with the first one. */
  baseUrl?: string
}

type Http = { Agent: typeof Agent; request: typeof import("node:http").request }

/** How one server is asked. */
type Way = { http: Http; agent: Agent; proxy: ProxyServer | undefined }

/**
 * A `fetch` for a provider's requests, over node:http with connections kept open. In a conversation
 * of 100 steps the global one costs 2 ms of CPU a step and 20 MB more; it also gives up on a model
 * that is silent for five minutes, as large local ones are.
 *
 * It differs where that is safer: a redirect is not followed, so a key goes to no other server, a
 * server on this machine is asked past any proxy, and nothing is waited for with a time limit: the
 * caller's signal ends a request.
 */
export function httpFetch({ env, baseUrl }: HttpFetchOptions): typeof fetch {
  const ways = new Map<string, Promise<Way>>()

  const wayTo = (url: URL) => {
    const known = ways.get(url.origin)
    if (known !== undefined) return known

    const finding = findWay(url, env)
    ways.set(url.origin, finding)
    return finding
  }

  if (baseUrl !== undefined) {
    wayTo(new URL(baseUrl)).catch(() => {})
    // Node loads the classes of fetch when one is first touched: now, while a worker is waited for.
    // By their names, for a bundler leaves out what is only mentioned.
    for (const name of ["Headers", "Response", "ReadableStream"]) Reflect.get(globalThis, name)
  }

  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const way = await wayTo(url)
    const options = {
      method: init.method ?? "GET",
      headers: Object.fromEntries(new Headers(init.headers)),
      agent: way.agent,
    }

    const answer = await send(way, url, init, options)
    if (way.proxy === undefined || answer.statusCode !== proxyAuthentication) {
      return responseOf(answer)
    }
    answer.destroy()
    throw unsent(new ProxyFault(way.proxy, { cause: unauthenticated() }))
  }
}

const proxyAuthentication = 407

/**
 * Only the one that is needed is loaded: node:https brings all of TLS. Not by `import()`, which reads
 * every property of node:http, and so loads a WebSocket that nobody uses.
 */
async function findWay(url: URL, env: HttpFetchOptions["env"]): Promise<Way> {
  const proxy = proxyFor(url, env)
  const scheme = url.protocol === "https:" ? "https" : "http"
  const http: Http = process.getBuiltinModule(`node:${scheme}`)
  const proxyEnv = proxy === undefined ? {} : { [`${scheme}_proxy`]: proxy.url.href }
  return { http, agent: new http.Agent({ keepAlive: true, proxyEnv }), proxy }
}

function send(
  way: Way,
  url: URL,
  init: RequestInit,
  options: RequestOptions,
): Promise<IncomingMessage> {
  const { body, signal } = init
  if (body !== null && body !== undefined && typeof body !== "string") {
    return Promise.reject(new TypeError("only a text can be sent"))
  }
  if (signal?.aborted) return Promise.reject(abortError())

  return new Promise((resolve, reject) => {
    const request = way.http.request(url, options)
    let answer: IncomingMessage | undefined
    // Not the request's own `signal`: when the whole answer lies unread in its buffer, node:http
    // then lets the abort's error out on a socket that nobody listens to, which ends the process.
    const abort = () => (answer ?? request).destroy(abortError())
    signal?.addEventListener("abort", abort, { once: true })

    // A model may be silent for long, but a peer that is gone without a word (a laptop that slept)
    // is found out in under a minute: the request is then lost, and not waited for.
    request.once("socket", socket => socket.setKeepAlive(true, probeAfterMs))
    request.once("response", incoming => {
      answer = incoming
      incoming.once("close", () => signal?.removeEventListener("abort", abort))
      resolve(incoming)
    })

    request.on("error", error => {
      if (answer !== undefined) return
      signal?.removeEventListener("abort", abort)

      // A kept connection that the server may have closed in the meantime. Whether it saw the request
      // nobody knows, so it is not sent again here, where nobody would count it.
      if (request.reusedSocket && codeOf(error) === "ECONNRESET") {
        Object.assign(error, { wasKept: true })
      }
      if (error.name === "AbortError") reject(error)
      else reject(unsent(way.proxy ? new ProxyFault(way.proxy, { cause: error }) : error))
    })
    request.end(body ?? undefined)
  })
}

const probeAfterMs = 30_000

/** The form in which fetch fails, which is the one that the libraries recognise. */
function unsent(cause: Error): TypeError {
  return new TypeError("fetch failed", { cause })
}

function abortError(): Error {
  return Object.assign(new Error("the request was aborted"), { name: "AbortError" })
}

function responseOf(incoming: IncomingMessage): Response {
  const status = incoming.statusCode ?? 502
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(incoming.headersDistinct)) {
    for (const value of values) headers.append(name, value)
  }

  // Who reads the body is told by the body; an error after that has nobody left to tell.
  incoming.on("error", () => {})

  const mayHaveBody = status !== 204 && status !== 205 && status !== 304
  if (!mayHaveBody) incoming.resume()
  return new Response(mayHaveBody ? ReadableStream.from<Uint8Array>(incoming) : null, {
    status,
    statusText: incoming.statusMessage ?? "",
    headers,
  })
}

function codeOf(error: Error): unknown {
  return "code" in error ? error.code : undefined
}
