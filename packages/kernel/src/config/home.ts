import { chmod, mkdir, stat } from "node:fs/promises"
import { homedir } from "node:os"
import { join, relative, resolve, sep } from "node:path"
import { failure, type HarnessFailure, isFailure } from "@harness/protocol"
import { errnoOf, inWords } from "./errno.ts"

/** The variables of a process, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Where harness keeps its state: HARNESS_HOME, else `~/.harness`. Nothing is created. */
export function homeFolder(env: Environment): string {
  if (env.HARNESS_HOME) return resolve(env.HARNESS_HOME)
  return join(env.HOME || env.USERPROFILE || homedir(), ".harness")
}

/**
 * Makes the home before the first write to it, for its owner alone: an existing one that others may
 * enter is closed to them, and another user's is refused, for who owns it decides what runs.
 * Throws `home_unusable`.
 */
export async function ensureHome(home: string, user = process.getuid?.()): Promise<void> {
  try {
    await mkdir(home, { recursive: true, mode: 0o700 })

    const { mode, uid } = await stat(home)
    if (user !== undefined && uid !== user) throw unusable(home, "it belongs to another user")
    if ((mode & sticky) !== 0) throw unusable(home, "it is a folder that all users share")
    if ((mode & forOthers) !== 0) await chmod(home, 0o700)
  } catch (error) {
    throw homeFailure(home, error)
  }
}

/**
 * What went wrong with a file of the home, as `home_unusable` or `disk_full`; failures of ours stay as
 * they are.
 */
export function homeFailure(home: string, error: unknown): HarnessFailure {
  if (isFailure(error)) return error
  const errno = errnoOf(error)
  if (errno === "ENOSPC" || errno === "EDQUOT") {
    return failure("disk_full", { home }, { cause: error })
  }
  const place = placeWithin(home, error)
  return unusable(home, place === "" ? inWords(error) : `${place}: ${inWords(error)}`, error)
}

/** /tmp and the like: closing one to the others would take it away from them. */
const sticky = 0o1000

const forOthers = 0o077

/** The file of the home that the system named; empty when it is the home itself, or unknown. */
function placeWithin(home: string, error: unknown): string {
  if (typeof error !== "object" || error === null || !("path" in error)) return ""
  if (typeof error.path !== "string" || !error.path.startsWith(home + sep)) return ""
  return relative(home, error.path)
}

function unusable(home: string, reason: string, cause?: unknown) {
  return failure("home_unusable", { home, reason }, { cause })
}
