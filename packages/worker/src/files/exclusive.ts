import { closeSync, lstatSync, mkdirSync, openSync, readdirSync, renameSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { codeOf } from "../thrown.ts"
import { isGone, ownName } from "./leftovers.ts"

/**
 * Lets one of all workers of a HARNESS_HOME at a time compare a file with what is expected and put
 * the new content in its place: between two of them that is one step. Programs that know nothing of
 * it can still write in between.
 */
export interface Exclusive {
  run<Result>(work: () => Promise<Result>): Promise<Result>
}

/** Another one's step takes milliseconds. */
const WAIT_MS = 2

/** A holder on another machine, of which nothing can be told, has lost it after this. */
const STRANGERS_MS = 60_000

/**
 * The lock is one empty file whose name says all: `files.<number>.<owner>`, or `files.<number>.free`.
 * It is taken by renaming it to the next number, which only one of several can do, because the old
 * name is gone then. A holder that is dead does not count.
 */
export function exclusiveIn(home: string): Exclusive {
  const folder = join(home, "locks")
  let owner: string | undefined

  async function take(): Promise<LockFile> {
    owner ??= ownName()
    for (;;) {
      const before = latest(folder)
      if (before === undefined) make(folder)
      else if (before.owner !== "free" && !isLost(folder, before)) await delay(WAIT_MS)
      else {
        const taken = { number: before.number + 1, owner }
        if (renamed(folder, before, taken)) return taken
      }
    }
  }

  return {
    async run(work) {
      const taken = await take()
      try {
        return await work()
      } finally {
        renamed(folder, taken, { ...taken, owner: "free" })
      }
    },
  }
}

type LockFile = { number: number; owner: string }

function nameOf({ number, owner }: LockFile): string {
  return `files.${number}.${owner}`
}

/** The highest number counts: a lower one is left when two made the first at once. */
function latest(folder: string): LockFile | undefined {
  return namesIn(folder)
    .flatMap(name => {
      const [, number, owner] = /^files\.(\d+)\.(.+)$/.exec(name) ?? []
      return owner === undefined ? [] : [{ number: Number(number), owner }]
    })
    .toSorted((one, other) => other.number - one.number)[0]
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (codeOf(error) === "ENOENT") return []
    throw error
  }
}

function make(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  closeSync(openSync(join(folder, nameOf({ number: 0, owner: "free" })), "a", 0o600))
}

function isLost(folder: string, file: LockFile): boolean {
  const gone = isGone(file.owner)
  if (gone !== undefined) return gone
  try {
    return Date.now() - lstatSync(join(folder, nameOf(file))).ctimeMs > STRANGERS_MS
  } catch {
    return false
  }
}

/** False when somebody else renamed it first. */
function renamed(folder: string, from: LockFile, to: LockFile): boolean {
  try {
    renameSync(join(folder, nameOf(from)), join(folder, nameOf(to)))
    return true
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false
    throw error
  }
}
