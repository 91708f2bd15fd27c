import { controlFile } from "@harness/protocol"

/** Only the end of an output is looked at: it says why a command failed. */
const LOOKED_AT_CHARACTERS = 2_000

/** What a resolver or a connection without a network says. */
const NO_NETWORK = [
  /EAI_AGAIN|ENOTFOUND|ENETUNREACH|EHOSTUNREACH/,
  /(?:could not|couldn't|unable to) resolve|temporary failure in name resolution/i,
  /name or service not known|nodename nor servname|no address associated with hostname/i,
  /network is unreachable|no route to host|unknown host/i,
  /failed to lookup address|failed to resolve|dial tcp: lookup/i,
]

/** A refused connection says it too, unless it went to the command's own loopback. */
const REFUSED = /ECONNREFUSED|connection refused/i
const LOOPBACK = /localhost|127\.\d+\.\d+\.\d+|::1|0\.0\.0\.0/i

const READ_ONLY = /read-only file system|EROFS/i

/** A control file cannot be replaced either: it is mounted over itself. */
const HELD = /read-only file system|EROFS|device or resource busy|EBUSY/i

/** What Node, Python and others say of a unix socket that they may not have. */
const NO_UNIX_SOCKET =
  /listen E(?:PERM|ACCES)[^\n]*(?:\.sock|\.pipe|\/)|(?:unix|AF_UNIX|\.sock)[^\n]*operation not permitted/i

/** A command's /tmp is its own: what another one left there is gone. */
const NOTHING_IN_TMP =
  /(?<path>\/tmp\/[^\s'":]+)[^\n]*no such file|no such file[^\n]*(?<path>\/tmp\/[^\s'":]+)/i

export type HintSubject = {
  /** The end of the output. */
  output: string
  /** Folders that outlive a command wherever they lie: the project's and the temporary one. */
  lasting: readonly string[]
  network: boolean
  unixSockets: boolean
}

/** What the output of a contained command that failed suggests to whoever reads it. */
export function hintFor({
  output,
  lasting,
  network,
  unixSockets,
}: HintSubject): string | undefined {
  const end = output.slice(-LOOKED_AT_CHARACTERS)
  if (!network && wantedNetwork(end)) {
    return "the network is off for commands: ask with `network`, or run with --network"
  }
  if (wantedControlFile(end)) {
    return "files that make the host run code are read-only for commands: edit them with file actions"
  }
  if (READ_ONLY.test(end)) return "only the project folder and $TMPDIR can be written"
  const missing = NOTHING_IN_TMP.exec(end)?.groups?.path
  if (missing !== undefined && !lasting.some(folder => missing.startsWith(folder))) {
    return "each command has an empty /tmp of its own: what is to last belongs into $TMPDIR"
  }
  if (!unixSockets && NO_UNIX_SOCKET.test(end)) {
    return "unix sockets are off for commands: `containment.unix_sockets` in config.jsonc lets them"
  }
  return undefined
}

function wantedNetwork(text: string): boolean {
  if (NO_NETWORK.some(pattern => pattern.test(text))) return true
  return text.split("\n").some(line => REFUSED.test(line) && !LOOPBACK.test(line))
}

function wantedControlFile(text: string): boolean {
  const lines = text.split("\n").filter(line => HELD.test(line))
  return lines.some(line => line.split(/[\s'":,]+/).some(word => controlFile(word) !== null))
}
