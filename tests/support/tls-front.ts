import { connect, type Socket } from "node:net"
import { createServer } from "node:tls"
import { privateAuthority } from "./certificates.ts"

export type TlsFront = {
  port: number
  /** The certificate of the authority that signed its own, as PEM: nobody knows it. */
  authority: string
  close(): Promise<void>
}

/**
 * Puts TLS in front of a server on this machine, on 127.0.0.1, with a certificate of a private authority
 * for these names.
 *
 * @example
 * const front = await startTlsFront({ port: server.port, names: ["models.example", "localhost"] })
 */
export async function startTlsFront({
  port,
  names,
}: {
  port: number
  names: readonly string[]
}): Promise<TlsFront> {
  const { authority, server: own } = privateAuthority(names)
  const sockets = new Set<Socket>()
  const front = createServer({ key: own.key, cert: own.certificate }, incoming => {
    const target = connect(port, "127.0.0.1")
    incoming.pipe(target).pipe(incoming)
    incoming.on("error", () => target.destroy())
    target.on("error", () => incoming.destroy())
  })
  front.on("connection", (socket: Socket) => {
    sockets.add(socket)
    socket.on("error", () => {})
    socket.once("close", () => sockets.delete(socket))
  })
  // A client that does not trust the certificate goes away.
  front.on("tlsClientError", () => {})

  await new Promise<void>(resolve => front.listen(0, "127.0.0.1", resolve))
  const address = front.address()
  if (address === null || typeof address === "string") throw new Error("the front has no port")

  return {
    port: address.port,
    authority,
    close: () =>
      new Promise(resolve => {
        front.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
