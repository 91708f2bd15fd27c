import { dirname, normalize } from "node:path"
import { hiddenPlaces } from "../hidden.ts"
import { isBelow, isWithin, type Place, placeAt } from "../paths.ts"
import type { SandboxPolicy } from "../provider.ts"
import { hostSockets } from "./sockets.ts"
import { resolverFile, shownPlaces, toolFolders } from "./tools.ts"
import { writtenPlaces } from "./written.ts"

/**
 * What a command finds at a path. `fresh`: an empty folder of its own. `hidden`: an empty folder or
 * an unreadable file. `shown`: what the host has, read-only, where a fresh folder would cover it.
 * `tool`: one program, read-only, where its folder is hidden or covered.
 * `writable`, `readonly`: as on the host. `pin`: as on the host, but it cannot be moved away with
 * what is read-only in it, because a mount point cannot be renamed.
 */
export type Mount =
  | { type: "fresh" | "writable" | "readonly" | "pin"; path: string }
  | { type: "hidden"; path: string; of: Place["type"] }
  | { type: "shown" | "tool"; path: string; source: string }

export type MountOptions = {
  policy: SandboxPolicy
  /** Where the host's programs are: the PATH of harness itself, never a command's. */
  searchPath: string
}

/** At one path the later type counts. */
const strictness: readonly Mount["type"][] = [
  "fresh",
  "pin",
  "writable",
  "shown",
  "readonly",
  "hidden",
  "tool",
]

/** Files and sockets of other programs lie here, so a command gets places of its own. */
const freshFolders = ["/tmp", "/run", "/dev/shm"]

/**
 * What is mounted over the host's read-only tree, in an order in which it can be: a folder always
 * before what lies in it, so that the nearer rule holds. A root in a hidden or fresh folder is
 * there, a hidden folder in the root is not.
 */
export function mountsOf({ policy, searchPath }: MountOptions): Mount[] {
  const fresh = freshFolders.flatMap(path => placeAt(path)?.path ?? [])
  const hidden = [
    ...hiddenPlaces(policy),
    ...(policy.unixSockets && !policy.network ? hostSockets() : []),
  ]
  const { writable, readonly, sealed } = writtenPlaces(policy)
  const shown = [
    ...toolFolders(searchPath, fresh),
    ...shownPlaces(policy.shown ?? [], fresh),
    ...(policy.network ? resolverFile(fresh) : []),
  ]

  const covers: Mount[] = [
    ...fresh.map(path => ({ type: "fresh" as const, path })),
    ...writable.map(path => ({ type: "writable" as const, path })),
    ...readonly.map(path => ({ type: "readonly" as const, path })),
    ...shown.map(each => ({ type: "shown" as const, ...each })),
    ...hidden.map(({ path, type }) => ({ type: "hidden" as const, path, of: type })),
    ...sealed.map(path => ({ type: "hidden" as const, path, of: "folder" as const })),
    ...toolMount(policy.tool),
  ]
  const kept = strictest(covers).filter((mount, _, all) => isNeeded(mount, all))
  return inOrder(strictest([...kept, ...pinsOf(kept)]))
}

function toolMount(path: string | undefined): Mount[] {
  const place = path === undefined ? undefined : placeAt(path)
  if (path === undefined || place?.type !== "file") return []
  return [{ type: "tool", path: normalize(path), source: place.path }]
}

function strictest(mounts: readonly Mount[]): Mount[] {
  const byPath = new Map<string, Mount>()
  for (const mount of mounts) {
    const other = byPath.get(mount.path)
    if (!other || rank(mount) > rank(other)) byPath.set(mount.path, mount)
  }
  return [...byPath.values()]
}

function rank(mount: Mount): number {
  return strictness.indexOf(mount.type)
}

/** To bind again what cannot be seen would show it; to hide it again changes nothing. */
function isNeeded(mount: Mount, all: readonly Mount[]): boolean {
  const around = nearest(mount.path, all)?.type
  switch (mount.type) {
    case "readonly":
      return around === "writable"
    case "shown":
      return around === undefined || around === "fresh"
    case "hidden":
      return around !== "hidden" && around !== "fresh"
    case "tool":
      return around === "hidden" || around === "fresh"
    default:
      return true
  }
}

/** The folders between a writable one and what is protected in it. */
function pinsOf(mounts: readonly Mount[]): Mount[] {
  return mounts.flatMap(mount => {
    if (mount.type !== "readonly" && mount.type !== "hidden") return []
    const around = nearest(mount.path, mounts)
    if (around?.type !== "writable") return []

    const between: Mount[] = []
    for (let path = dirname(mount.path); isBelow(path, around.path); path = dirname(path)) {
      between.push({ type: "pin", path })
    }
    return between
  })
}

/** The deepest mount that a path lies in. */
function nearest(path: string, mounts: readonly Mount[]): Mount | undefined {
  const around = mounts.filter(mount => isBelow(path, mount.path))
  return around.reduce<Mount | undefined>(
    (deepest, mount) => (deepest && isWithin(deepest.path, mount.path) ? deepest : mount),
    undefined,
  )
}

function inOrder(mounts: readonly Mount[]): Mount[] {
  const depth = (path: string) => (path === "/" ? 0 : path.split("/").length)
  return mounts.toSorted(
    (one, other) => depth(one.path) - depth(other.path) || (one.path < other.path ? -1 : 1),
  )
}
