import { BlockList, isIP } from "node:net"
import { failure } from "@harness/protocol"
import { isLoopback } from "./loopback.ts"

type Environment = Readonly<Record<string, string | undefined>>

/** The proxy that a server is asked through. */
export type ProxyServer = {
  /** With what it is logged in with. */
  url: URL
  /** The same without that: what people may see. */
  shown: string
  /** The variable that names it. */
  variable: string
}

/**
 * The proxy for a server: `https_proxy` or `http_proxy` by its protocol, else `all_proxy`, in small
 * letters or capitals; undefined for a server on this machine and for what `no_proxy` names.
 * Throws `option_invalid` for a proxy that cannot be used: past it nothing is asked directly.
 */
export function proxyFor(server: URL, env: Environment): ProxyServer | undefined {
  if (isLoopback(server)) return undefined
  const [variable] = [`${server.protocol.slice(0, -1)}_proxy`, "all_proxy"]
    .flatMap(name => [name, name.toUpperCase()])
    .filter(name => env[name])
  if (variable === undefined || isExempt(server, env.no_proxy || env.NO_PROXY || ""))
    return undefined

  const url = parsed(variable, env[variable] ?? "")
  return { url, variable, shown: url.origin }
}

/** What a proxy is logged in with, in the forms in which it could come back in an answer. */
export function proxySecrets({ url: { username, password } }: ProxyServer): string[] {
  if (password === "") return []
  const plain = decodeURIComponent(password)
  const basic = Buffer.from(`${decodeURIComponent(username)}:${plain}`).toString("base64")
  return [password, plain, basic]
}

function parsed(variable: string, value: string): URL {
  // As curl does; a user and a password before a host would be taken for a protocol.
  const text = value.includes("://") ? value : `http://${value}`
  const url = URL.canParse(text) ? new URL(text) : null
  const shown = url === null ? "(hidden)" : `${url.protocol}//${url.host}`
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw unusable(variable, shown, "is not an http or https proxy")
  }
  if (!isDecodable(url.username) || !isDecodable(url.password)) {
    throw unusable(variable, shown, "has a % in its user name or password that stands for nothing")
  }
  return url
}

function unusable(option: string, value: string, reason: string) {
  return failure("option_invalid", { option, value, reason, command: "run" })
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

function isExempt(server: URL, noProxy: string): boolean {
  const host = server.hostname.replace(/^\[|\]$|\.$/g, "")
  const port = server.port || (server.protocol === "https:" ? "443" : "80")
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(entry => entry !== "")
    .some(entry => entry === "*" || names(entry, { host, port }))
}

/** An entry is a host, a suffix of hosts, an address or a network (`10.0.0.0/8`), all but that with a port if need be. */
function names(entry: string, { host, port }: { host: string; port: string }): boolean {
  if (entry.includes("/")) return isWithin(host, entry)
  const { name, wantedPort } = partsOf(entry)
  if (wantedPort !== undefined && wantedPort !== port) return false

  const suffix = name.replace(/^\*?\./, "").replace(/\.$/, "")
  return suffix !== "" && (host === suffix || (isIP(host) === 0 && host.endsWith(`.${suffix}`)))
}

/** The colons of an IPv6 address divide nothing. */
function partsOf(entry: string): { name: string; wantedPort?: string | undefined } {
  const [, bracketed, portAfter] = /^\[(.+)\](?::(\d+))?$/.exec(entry) ?? []
  if (bracketed !== undefined) return { name: bracketed, wantedPort: portAfter }
  const [name = "", wantedPort, ...more] = entry.split(":")
  return more.length > 0 ? { name: entry } : { name, wantedPort }
}

function isWithin(host: string, network: string): boolean {
  const [address = "", bits] = network.split("/")
  const family = isIP(address) === 6 ? "ipv6" : "ipv4"
  if (isIP(host) === 0 || isIP(host) !== isIP(address)) return false

  const length = Number(bits)
  if (!Number.isInteger(length) || length < 0 || length > (family === "ipv6" ? 128 : 32))
    return false
  const list = new BlockList()
  list.addSubnet(address, length, family)
  return list.check(host, family)
}
