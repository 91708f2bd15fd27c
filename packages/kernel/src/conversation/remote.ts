import { join, resolve } from "node:path"
import { findRepository, textOf } from "./repository.ts"

/**
 * The normalised URL of a folder's git remote: `origin`, else the first one in `.git/config`.
 * Null when there is no repository, or no remote. No git is started.
 */
export function remoteOf(folder: string): string | null {
  const repository = findRepository(folder)
  if (repository === null) return null
  const remotes = remotesIn(textOf(join(repository.commonFolder, "config")) ?? "")
  const url = remotes.get("origin") ?? remotes.values().next().value
  return url ? normaliseRemote(url, repository.workTree) : null
}

/**
 * One text for all the ways to write a remote: `host/path`, the host in lower case, without scheme,
 * credentials, query, `.git`, the ports of git's own schemes and any port of ssh. A remote that is
 * a folder becomes its absolute path.
 *
 * @example
 * normaliseRemote("git@GitHub.com:jo/shop.git", root) // "github.com/jo/shop"
 * normaliseRemote("https://jo:token@github.com/jo/shop", root) // "github.com/jo/shop"
 */
export function normaliseRemote(url: string, workTree: string): string {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i.exec(url)
  if (scheme) return ofScheme((scheme[1] ?? "").toLowerCase(), scheme[2] ?? "")

  // `user@host:path`, but not `C:\path` and not `./a:b`.
  const scp = /^(?:[^/@]*@)?(\[[^\]]*\]|[^/:@]{2,}):(?!\/\/)(.*)$/.exec(url)
  if (scp) {
    const [, host = "", path = ""] = scp
    return `${host.toLowerCase()}/${pathOf(path)}`
  }
  return pathOf(resolve(workTree, url), { keepSlash: true })
}

/** The user part ends at the last `@` before the path, as git takes it. */
function ofScheme(scheme: string, rest: string): string {
  if (scheme === "file") return pathOf(decoded(rest), { keepSlash: true })
  const bare = withoutQuery(rest).replace(/^[^/]*@/, "")
  const [, host = "", port = "", path = ""] =
    /^(\[[^\]]*\]|[^/:]*)(?::(\d*))?(.*)$/.exec(bare) ?? []
  return `${hostOf(host, port, scheme)}/${pathOf(decoded(path))}`
}

function hostOf(host: string, port: string, scheme: string): string {
  const name = host.toLowerCase()
  const isOrdinary = scheme.includes("ssh") || port === "" || port === ordinaryPorts.get(scheme)
  return isOrdinary ? name : `${name}:${port}`
}

const ordinaryPorts = new Map([
  ["https", "443"],
  ["http", "80"],
  ["git", "9418"],
])

function pathOf(path: string, { keepSlash } = { keepSlash: false }): string {
  const ended = path
    .replace(/\/+$/, "")
    .replace(/\.git$/, "")
    .replace(/\/+$/, "")
  return keepSlash ? ended : ended.replace(/^\/+/, "")
}

function withoutQuery(path: string): string {
  return path.replace(/[?#].*$/, "")
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** The URLs of the remotes of a git config, by name, in its order; of several the first. */
function remotesIn(config: string): Map<string, string> {
  const remotes = new Map<string, string>()
  let remote: string | null = null
  for (const line of config.replace(/\\\r?\n/g, "").split("\n")) {
    const section = /^\s*\[\s*([^\s\]"]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\](.*)$/.exec(line)
    const rest = section ? (section[3] ?? "") : line
    if (section) {
      const isRemote = section[1]?.toLowerCase() === "remote" && section[2] !== undefined
      remote = isRemote ? (section[2] ?? "").replace(/\\(.)/g, "$1") : null
    }

    const url = /^\s*url\s*=\s*(.*)$/i.exec(rest)?.[1]
    if (remote !== null && url !== undefined && !remotes.has(remote)) {
      remotes.set(remote, unquoted(url))
    }
  }
  return remotes
}

/** A value without its quotes and its comment. */
function unquoted(text: string): string {
  let value = ""
  let quoted = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (character === "\\") value += text.charAt(++at)
    else if (character === '"') quoted = !quoted
    else if (!quoted && (character === "#" || character === ";")) break
    else value += character
  }
  return value.trim()
}
