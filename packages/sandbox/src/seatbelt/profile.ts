import { dirname, join } from "node:path"
import { controlFiles } from "@harness/protocol"
import { hiddenPaths, hiddenPlaces } from "../hidden.ts"
import { isBelow, placeAt } from "../paths.ts"
import type { SandboxPolicy } from "../provider.ts"
import { below, just, literally, matching, quoted } from "./text.ts"

/**
 * The profile of sandbox-exec for a command. Of two rules the later counts, so what is protected and
 * what is hidden comes last. Control files are refused whether they exist or not, at any depth.
 */
export function seatbeltProfile(policy: SandboxPolicy): string {
  return [
    "(version 1)",
    "(deny default)",
    ...processRules(policy),
    ...networkRules(policy),
    "(allow file-read*)",
    ...placeRules(policy),
    ...protectionRules(policy),
    "",
  ].join("\n")
}

/** Without these services programs do not know who they are, or do not start. */
const services = [
  "com.apple.bsd.dirhelper",
  "com.apple.cfprefsd.agent",
  "com.apple.cfprefsd.daemon",
  "com.apple.logd",
  "com.apple.system.logger",
  "com.apple.system.notification_center",
  "com.apple.system.opendirectoryd.libinfo",
  "com.apple.system.opendirectoryd.membership",
]

function processRules({ debuggers }: SandboxPolicy): string[] {
  return [
    "(allow process-exec*)",
    "(allow process-fork)",
    "(allow process-info* (target same-sandbox))",
    "(allow signal (target same-sandbox))",
    ...(debuggers ? ["(allow mach-priv-task-port (target same-sandbox))"] : []),
    "(allow sysctl-read)",
    "(allow ipc-posix-sem)",
    "(allow ipc-posix-shm*)",
    "(allow pseudo-tty)",
    ...services.map(name => `(allow mach-lookup (global-name ${quoted(name)}))`),
  ]
}

/**
 * Without the network its own loopback is out of reach too, for it is the host's. Unix sockets are
 * allowed in the temporary folder alone: elsewhere those of the host could lie.
 */
function networkRules({ network, unixSockets, temp }: SandboxPolicy): string[] {
  if (network) {
    return [
      "(allow network*)",
      "(allow system-socket)",
      ...resolvers.map(name => `(allow mach-lookup (global-name ${quoted(name)}))`),
    ]
  }
  if (!unixSockets) return []
  return ["(allow system-socket (socket-domain AF_UNIX))", `(allow network* ${below(temp)})`]
}

const resolvers = [
  "com.apple.SystemConfiguration.configd",
  "com.apple.dnssd.service",
  "com.apple.trustd.agent",
]

const devices = ["/dev/null", "/dev/zero", "/dev/tty", "/dev/dtracehelper"]

/** A folder's rule before that of what lies in it: a root in HARNESS_HOME, or HARNESS_HOME in it. */
function placeRules(policy: SandboxPolicy): string[] {
  const hidden = [...hiddenPaths(policy), ...hiddenPlaces(policy).map(({ path }) => path)]
  const places = [
    ...[policy.root, policy.temp].map(path => ({ path, isHidden: false })),
    ...[...new Set(hidden)].map(path => ({ path, isHidden: true })),
  ]
  const rules = inOrder(places).map(({ path, isHidden }) =>
    isHidden
      ? `(deny file-read* file-write* process-exec* ${below(path)})`
      : `(allow file-read* file-write* process-exec* ${below(path)})`,
  )
  const ways = [policy.root, policy.temp].flatMap(path => ancestors(path))
  return [
    ...rules,
    ...toolRules(policy),
    `(allow file-read-metadata ${ways.map(just).join(" ")})`,
    `(allow file-write-data file-ioctl ${devices.map(just).join(" ")})`,
  ]
}

function toolRules({ tool }: SandboxPolicy): string[] {
  if (tool === undefined) return []
  const names = [...new Set([tool, placeAt(tool)?.path ?? tool])]
  return [
    `(allow file-read* process-exec* ${names.map(just).join(" ")})`,
    `(allow file-read-metadata ${names.flatMap(ancestors).map(just).join(" ")})`,
  ]
}

/** What makes the host run code, pnpm's links into its store, and the folders around both. */
function protectionRules(policy: SandboxPolicy): string[] {
  const { root, controlled = [] } = policy
  const inRoot = (filter: string) => `(require-all ${below(root)} ${filter})`
  const fixed = [join(root, "node_modules/.pnpm"), ...controlled]
  const around = [...fixed, ...policy.hidden].flatMap(path => ancestors(path))
  const movable = [...new Set(around)].filter(path => isBelow(path, root))

  return [
    ...controlFiles.map(
      pattern => `(deny file-write* ${inRoot(matching(controlPattern(pattern)))})`,
    ),
    `(deny file-write* ${inRoot(`(vnode-type REGULAR-FILE) ${matching("/[.][gG][iI][tT]$")}`)})`,
    ...fixed.map(path => `(deny file-write* ${below(path)})`),
    ...controlFolders().map(
      pattern => `(deny file-write-unlink ${inRoot(matching(controlPattern(pattern)))})`,
    ),
    ...movable.map(path => `(deny file-write-unlink ${just(path)})`),
  ]
}

/** The fixed folders that hold control files: moved away, they would take those with them. */
function controlFolders(): string[] {
  const folders = controlFiles.flatMap(pattern => {
    const names = pattern.split("/").slice(0, -1)
    return names.map((_, index) => names.slice(0, index + 1).join("/"))
  })
  return [...new Set(folders)].filter(folder => !folder.includes("*"))
}

/** At any depth; `/**` at the end is the folder and all below it, in the middle any folders. */
function controlPattern(pattern: string): string {
  const [whole, below] = pattern.endsWith("/**") ? [pattern.slice(0, -3), "(/|$)"] : [pattern, "$"]
  const middle = whole.split("/**/").map(literally).join("/(.*/)?")
  return `/${middle}${below}`
}

function ancestors(path: string): string[] {
  const above: string[] = []
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    above.push(folder)
  }
  return above
}

function inOrder<Place extends { path: string }>(places: readonly Place[]): Place[] {
  return places.toSorted((one, other) => depth(one.path) - depth(other.path))
}

function depth(path: string): number {
  return path.split("/").length
}
