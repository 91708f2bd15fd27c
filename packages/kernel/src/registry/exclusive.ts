import { mkdir } from "node:fs/promises"
import { failure } from "@harness/protocol"
import { errnoOf } from "../config/errno.ts"
import { ensureHome, homeFailure } from "../config/home.ts"
import { packagesFolder } from "./slots.ts"

/** Throws when another process has taken over, as after a long sleep of this one. */
export type StillHeld = () => void

/**
 * Runs `change` while no other process changes the packages of this home; waits a while for one that
 * does. A killed process loses its hold after `staleMs`. Throws `packages_locked`, `home_unusable`.
 */
export async function exclusively<Result>(
  home: string,
  change: (stillHeld: StillHeld) => Promise<Result>,
  { waitMs = 30_000 } = {},
): Promise<Result> {
  const hold = await acquire(home, waitMs)
  try {
    return await change(hold.stillHeld)
  } catch (error) {
    throw isOfFileSystem(error) ? homeFailure(home, error) : error
  } finally {
    await hold.release()
  }
}

const staleMs = 5_000
const updateMs = 1_000
const pollMs = 100

async function acquire(home: string, waitMs: number) {
  const { default: lockfile } = await import("proper-lockfile")
  let lost = false
  try {
    await ensureHome(home)
    await mkdir(packagesFolder(home), { recursive: true, mode: 0o700 })

    const release = await lockfile.lock(packagesFolder(home), {
      stale: staleMs,
      update: updateMs,
      retries: { retries: waitMs / pollMs, factor: 1, minTimeout: pollMs, maxTimeout: pollMs },
      onCompromised: () => {
        lost = true
      },
    })
    const stillHeld = () => {
      if (lost) throw failure("packages_locked", { home })
    }
    // One that was lost cannot be released: it is another process's now.
    return { stillHeld, release: () => (lost ? Promise.resolve() : release()) }
  } catch (error) {
    if (errnoOf(error) === "ELOCKED") throw failure("packages_locked", { home }, { cause: error })
    throw homeFailure(home, error)
  }
}

function isOfFileSystem(error: unknown): boolean {
  return typeof error === "object" && error !== null && "syscall" in error
}
