import { posix } from "node:path"
import {
  controlFile,
  isSecretFile,
  type JsonObject,
  type Permit,
  PermitWanted,
} from "@harness/protocol"
import type { AnyAction } from "@harness/sdk"
import * as z from "zod"

/** What of a conversation needs leave, and what does not. */
export type Guarded = {
  /** The real path of the folder. */
  root: string
  /** `secrets.files` of the configuration. */
  secretFiles: readonly string[]
  /** Commands have the network anyway: no action needs leave for it. */
  network: boolean
}

/** What a call needs leave for. `unknown`: its package failed to say, so that it must not run. */
export type WantedPermits =
  | { status: "known"; permits: PermitWanted[] }
  | { status: "unknown"; reason: string }

/**
 * Finds out what a call needs leave for beyond its effect: a `path` that names a control file (to
 * change it) or a secret file (whatever the effect), and what the action itself says. It judges
 * names; where links lead is judged by the worker, which refuses what this has not found.
 */
export function permitsWanted(
  action: AnyAction,
  input: JsonObject,
  guarded: Guarded,
): WantedPermits {
  const found = fileMarks(action, namedPath(input, guarded.root), guarded)
  try {
    const said = z.array(PermitWanted).parse(action.permits?.(input) ?? [])
    const needed = [...found, ...said].filter(
      ({ permit }) => permit !== "network" || !guarded.network,
    )
    return { status: "known", permits: [...byPermit(needed).values()] }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return {
      status: "unknown",
      reason: `${action.name} failed to say what it needs leave for: ${reason}`,
    }
  }
}

/** The file that an input names, relative to the root and in one spelling; links are not followed. */
export function namedPath({ path }: JsonObject, root: string): string | null {
  if (typeof path !== "string") return null
  const normal = posix.normalize(path).replace(/(?<=.)\/$/, "")
  if (normal === root) return "."
  const below = root.endsWith("/") ? root : `${root}/`
  return normal.startsWith(below) ? normal.slice(below.length) : normal
}

function fileMarks(
  { effect }: AnyAction,
  path: string | null,
  { secretFiles }: Guarded,
): PermitWanted[] {
  if (path === null) return []
  const changes = effect !== "read" && effect !== "observe"
  const wanted: PermitWanted[] = []
  if (changes && controlFile(path) !== null) {
    wanted.push({ permit: "control_file", reason: `${path} makes the host run code` })
  }
  if (isSecretFile(path, secretFiles)) {
    wanted.push({ permit: "secret_file", reason: `${path} holds secrets` })
  }
  return wanted
}

/** One entry for each; what was found goes before what a package says of it. */
function byPermit(wanted: readonly PermitWanted[]): Map<Permit, PermitWanted> {
  const first = new Map<Permit, PermitWanted>()
  for (const each of wanted) if (!first.has(each.permit)) first.set(each.permit, each)
  return first
}
