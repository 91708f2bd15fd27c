import { request as ask, createServer } from "node:http"
import { connect } from "node:net"

/** What a proxy was asked for, as it came: `CONNECT models.example:443`, `POST http://…`. */
type ProxiedRequest = { request: string; authorization: string | undefined }

export type TestProxy = {
  /** `127.0.0.1:<port>`. */
  host: string
  /** Every request so far, in order. */
  requests: ProxiedRequest[]
  close(): Promise<void>
}

/**
 * Starts an HTTP proxy on 127.0.0.1: for tunnels (CONNECT) and for plain requests. Every name is, for it, a
 * server on this machine at `port`, so that names can be made up. With `wants` it answers 407 to
 * who does not send that as `Proxy-Authorization`; with `answers` that status to everybody.
 *
 * @example
 * const proxy = await startProxy({ port: server.port })
 * env.HTTPS_PROXY = `http://${proxy.host}`
 */
export async function startProxy({
  port,
  wants,
  answers,
}: {
  port: number
  wants?: string
  answers?: number
}): Promise<TestProxy> {
  const requests: ProxiedRequest[] = []
  /** The status with which it refuses; undefined when it lets through. */
  const refusal = (request: string, authorization: string | undefined) => {
    requests.push({ request, authorization })
    return answers ?? (wants !== undefined && authorization !== wants ? 407 : undefined)
  }

  const server = createServer((incoming, response) => {
    const { method = "", url = "", headers } = incoming
    const { "proxy-authorization": authorization, ...others } = headers
    const status = refusal(`${method} ${url}`, authorization)
    if (status !== undefined) {
      response.writeHead(status).end(`the proxy refused ${authorization}`)
      return
    }

    const { pathname, search } = new URL(url)
    const options = {
      host: "127.0.0.1",
      port,
      method,
      path: `${pathname}${search}`,
      headers: others,
    }
    const forwarded = ask(options, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    forwarded.on("error", () => response.destroy())
    incoming.pipe(forwarded)
  })

  server.on("connect", (incoming, socket) => {
    const authorization = incoming.headers["proxy-authorization"]
    const status = refusal(`CONNECT ${incoming.url}`, authorization)
    if (status !== undefined) {
      socket.end(`HTTP/1.1 ${status} Refused\r\n\r\n`)
      return
    }

    const target = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n")
      target.pipe(socket).pipe(target)
    })
    target.on("error", () => socket.destroy())
    socket.on("error", () => target.destroy())
  })

  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the proxy has no port")

  return {
    host: `127.0.0.1:${address.port}`,
    requests,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
