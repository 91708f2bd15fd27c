import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { connect } from "node:net"

/** State of a socket that listens, in /proc/net/tcp. */
const LISTEN = "0A"

/**
 * Whether a process of the conversation listens on a TCP port. On Linux the tables of the processes'
 * own network namespaces are read, which may be another one than ours, and the socket must belong to
 * one of them: another program's server on that port does not count. Elsewhere a connection is tried.
 */
export async function listens(
  port: number,
  { tag, platform }: { tag: string; platform: NodeJS.Platform },
): Promise<boolean> {
  if (platform !== "linux") return accepts(port)

  const processes = taggedProcesses(tag)
  const tables = new Map(processes.map(id => [linkOf(`/proc/${id}/ns/net`), id]))
  const sockets = new Set([...tables.values()].flatMap(id => listeners(id, port)))
  return sockets.size > 0 && processes.some(id => holdsOne(id, sockets))
}

function taggedProcesses(tag: string): string[] {
  const ids = readdirSync("/proc").filter(name => /^\d+$/.test(name))
  return ids.filter(id =>
    `\0${textOf(`/proc/${id}/environ`)}`.includes(`\0HARNESS_SESSION=${tag}\0`),
  )
}

/** The inodes of sockets that listen on the port, in the network namespace of a process. */
function listeners(id: string, port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, "0")
  const lines = ["tcp", "tcp6"].flatMap(name => textOf(`/proc/${id}/net/${name}`).split("\n"))
  return lines.flatMap(line => {
    const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/)
    return state === LISTEN && local.endsWith(`:${wanted}`) ? [inode] : []
  })
}

function holdsOne(id: string, sockets: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${id}/fd`).some(name => {
      const inode = /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${id}/fd/${name}`))?.[1]
      return inode !== undefined && sockets.has(inode)
    })
  } catch {
    return false
  }
}

/** A process may end while it is looked at. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "latin1")
  } catch {
    return ""
  }
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file)
  } catch {
    return ""
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ port, host: "127.0.0.1" })
    const settle = (accepted: boolean) => {
      socket.destroy()
      resolve(accepted)
    }
    socket.once("connect", () => settle(true))
    socket.once("error", () => settle(false))
  })
}
