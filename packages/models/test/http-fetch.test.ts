import { createServer, type RequestListener } from "node:http"
import type { Socket } from "node:net"
import { text } from "node:stream/consumers"
import { describe, expect, onTestFinished, test } from "vitest"
import { startProxy } from "../../../tests/support/proxy.ts"
import { startTlsFront } from "../../../tests/support/tls-front.ts"
import { httpFetch } from "../src/index.ts"

async function serve(listener: RequestListener) {
  const server = createServer(listener)
  const sockets: Socket[] = []
  server.on("connection", socket => sockets.push(socket))
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })

  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the server has no port")
  return { url: `http://127.0.0.1:${address.port}`, server: address.port, sockets }
}

const post = (body: string, signal?: AbortSignal): RequestInit => ({
  method: "POST",
  headers: { "Content-Type": "application/json", "X-Name": "a" },
  body,
  ...(signal && { signal }),
})

test("sends method, headers and text, and gives back status, headers and a streamed body", async () => {
  const { url } = await serve(async (request, response) => {
    const sent = await text(request)
    response.writeHead(201, "Made", { "x-method": request.method, "set-cookie": ["a=1", "b=2"] })
    response.end(`${request.headers["x-name"]}:${sent}`)
  })

  const response = await httpFetch({ env: {} })(`${url}/v1`, post("{}"))

  expect({
    ok: response.ok,
    status: response.status,
    statusText: response.statusText,
    method: response.headers.get("x-method"),
    cookies: response.headers.getSetCookie(),
    text: await response.text(),
  }).toEqual({
    ok: true,
    status: 201,
    statusText: "Made",
    method: "POST",
    cookies: ["a=1", "b=2"],
    text: "a:{}",
  })
})

test("uses one connection for requests one after the other", async () => {
  const { url, sockets } = await serve((_request, response) => response.end("ok"))
  const fetch = httpFetch({ env: {} })

  for (let n = 0; n < 3; n++) await (await fetch(url, post(""))).text()

  expect(sockets.length).toBe(1)
})

test("a request on a kept connection that is reset fails, since the server may have seen it", async () => {
  const bodies: string[] = []
  const { url, sockets } = await serve(async (request, response) => {
    bodies.push(await text(request))
    if (bodies.at(-1) === "two") return void request.socket.resetAndDestroy()
    response.end("ok")
  })
  const fetch = httpFetch({ env: {} })

  await (await fetch(url, post("one"))).text()
  await expect(fetch(url, post("two"))).rejects.toMatchObject({
    message: "fetch failed",
    cause: { code: "ECONNRESET", wasKept: true },
  })
  await (await fetch(url, post("three"))).text()

  expect({ bodies, connections: sockets.length }).toEqual({
    bodies: ["one", "two", "three"],
    connections: 2,
  })
})

test("a first connection that is reset fails and is not tried again", async () => {
  const { url, sockets } = await serve(request => request.socket.resetAndDestroy())

  await expect(httpFetch({ env: {} })(url, post(""))).rejects.toMatchObject({
    message: "fetch failed",
    cause: { code: "ECONNRESET" },
  })
  expect(sockets.length).toBe(1)
})

test("a body that is left alone while it comes ends the connection without an error", async () => {
  const { url, sockets } = await serve((_request, response) => {
    response.write("begun")
  })
  const controller = new AbortController()

  const response = await httpFetch({ env: {} })(url, post("", controller.signal))
  const closed = new Promise(resolve => sockets[0]?.once("close", resolve))
  await response.body?.cancel()
  controller.abort()

  await closed
})

test("an abort while the whole answer lies unread is not an uncaught error", async () => {
  const { url } = await serve((_request, response) => response.end("x".repeat(50_000)))
  const controller = new AbortController()

  const response = await httpFetch({ env: {} })(url, post("", controller.signal))
  const reader = response.body?.getReader()
  await reader?.read()
  controller.abort()

  await expect(
    (async () => {
      for (;;) if ((await reader?.read())?.done !== false) return "ended"
    })().catch(() => "failed"),
  ).resolves.toMatch(/ended|failed/)
})

test("an abort ends the request before the answer and the body after it", async () => {
  const { url } = await serve((request, response) => {
    if (request.url === "/body") response.write("begun")
  })
  const before = new AbortController()
  const after = new AbortController()

  const waiting = httpFetch({ env: {} })(`${url}/none`, post("", before.signal))
  const response = await httpFetch({ env: {} })(`${url}/body`, post("", after.signal))
  before.abort()
  after.abort()

  await expect(waiting).rejects.toMatchObject({ name: "AbortError" })
  await expect(response.text()).rejects.toThrow()
})

test("a redirect is given back, not followed", async () => {
  const { url } = await serve((_request, response) => {
    response.writeHead(307, { location: "http://elsewhere.invalid/" }).end()
  })

  const response = await httpFetch({ env: {} })(url, post(""))

  expect([response.status, response.headers.get("location")]).toEqual([
    307,
    "http://elsewhere.invalid/",
  ])
})

describe("through a proxy", () => {
  /** A server that only the proxy can find, and what it says. */
  async function proxied(options: { wants?: string; answers?: number } = {}) {
    const { url, server } = await serve(async (request, response) => {
      response.end(`${request.headers.host} ${request.url} ${await text(request)}`)
    })
    const front = await startTlsFront({
      port: Number(new URL(url).port),
      names: ["models.example"],
    })
    const plain = await startProxy({ port: Number(new URL(url).port), ...options })
    const tunnel = await startProxy({ port: front.port, ...options })
    onTestFinished(async () => {
      await Promise.all([plain.close(), tunnel.close(), front.close()])
    })
    return { plain, tunnel, server }
  }

  test("a plain request goes to the proxy, with what it is logged in with, over one connection", async () => {
    const { plain } = await proxied({ wants: `Basic ${btoa("user:p@ss")}` })
    const fetch = httpFetch({ env: { HTTP_PROXY: `http://user:p%40ss@${plain.host}` } })

    for (const body of ["one", "two"]) {
      const response = await fetch("http://models.example/v1/chat", post(body))
      expect(await response.text()).toBe(`models.example /v1/chat ${body}`)
    }
    const request = "POST http://models.example/v1/chat"
    const asked = { request, authorization: `Basic ${btoa("user:p@ss")}` }
    expect(plain.requests).toEqual([asked, asked])
  })

  test("an https request goes through a tunnel to the server's name, whose certificate counts", async () => {
    const { tunnel } = await proxied()
    const fetch = httpFetch({ env: { HTTPS_PROXY: `http://${tunnel.host}` } })

    await expect(fetch("https://models.example/v1", post(""))).rejects.toMatchObject({
      message: "fetch failed",
      cause: { name: "ProxyFault", cause: { code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" } },
    })
    expect(tunnel.requests).toEqual([
      { request: "CONNECT models.example:443", authorization: undefined },
    ])
  })

  test("a server on this machine and a host in NO_PROXY are asked directly", async () => {
    const { plain, server } = await proxied()
    const env = { HTTP_PROXY: `http://${plain.host}`, NO_PROXY: "nowhere.invalid" }

    const response = await httpFetch({ env })(`http://127.0.0.1:${server}/v1`, post("x"))
    expect(await response.text()).toBe(`127.0.0.1:${server} /v1 x`)
    await expect(httpFetch({ env })("http://nowhere.invalid/", post(""))).rejects.toMatchObject({
      cause: { code: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/) },
    })
    expect(plain.requests).toEqual([])
  })

  test("a proxy that answers 407 in the server's place is a failed fetch, not an answer", async () => {
    const { plain } = await proxied({ answers: 407 })
    const env = { HTTP_PROXY: `http://${plain.host}` }

    await expect(httpFetch({ env })("http://models.example/", post(""))).rejects.toMatchObject({
      message: "fetch failed",
      cause: { name: "ProxyFault", cause: { code: "ERR_PROXY_TUNNEL" } },
    })
  })

  test("a proxy that cannot be used is told at the request, and the server is not asked past it", async () => {
    const env = { HTTP_PROXY: "socks5://127.0.0.1:9" }

    await expect(
      httpFetch({ env, baseUrl: "http://models.example/" })("http://models.example/", post("")),
    ).rejects.toMatchObject({ code: "option_invalid" })
  })
})

test("a status that has no body gives none", async () => {
  const { url } = await serve((_request, response) => response.writeHead(204).end())

  const response = await httpFetch({ env: {} })(url, post(""))

  expect([response.status, response.body]).toEqual([204, null])
})
