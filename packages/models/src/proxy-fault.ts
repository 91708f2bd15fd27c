import type { ProxyServer } from "./proxy.ts"

/** That a server was not reached by way of a proxy; the cause says why. */
export class ProxyFault extends Error {
  override readonly name = "ProxyFault"
  readonly proxy: ProxyServer

  constructor(proxy: ProxyServer, options: ErrorOptions) {
    super(`not reached through the proxy ${proxy.shown}`, options)
    this.proxy = proxy
  }
}

/** The cause when a proxy wants to know who asks; in the form of Node's own for a tunnel. */
export function unauthenticated(): Error {
  const message = "HTTP/1.1 407 Proxy Authentication Required"
  return Object.assign(new Error(message), { code: "ERR_PROXY_TUNNEL" })
}

/** What happened on the way, as the end of a sentence, and what to do. Nothing secret is in it. */
export function explainProxy(
  { proxy: { shown, url, variable } }: ProxyFault,
  root: string,
): { reason: string; hint: string } {
  // Node's message about a tunnel names all that stands before the answer.
  const [, answer] = /HTTP\/\d(?:\.\d)? (\d{3}\b.*)$/.exec(root) ?? []
  const reason = `through the proxy ${shown} (${answer === undefined ? root : `it answered ${answer}`})`
  if (!answer?.startsWith("407")) {
    return { reason, hint: `Check ${variable}; hosts in NO_PROXY are asked without it.` }
  }

  const hint =
    url.username === ""
      ? `It wants a user name and a password: ${variable}=${url.protocol}//<user>:<password>@${url.host}.`
      : `It does not accept the user name and the password in ${variable}.`
  return { reason, hint }
}
