import { createHash, randomBytes } from "node:crypto"
import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { codeOf } from "../thrown.ts"
import { isDraftName } from "./draft.ts"

/** The folder of a worker on another machine, or before a restart of this one, is old after this. */
const STRANGERS_AGE_MS = 24 * 3_600_000

/** Marks a note: the path of a draft that lies beside its target. */
const NOTE = ".at"

/** `<machine>-<process id>-<its start>-<random>`: tells others whether this worker still lives. */
export function ownName(): string {
  const { pid } = process
  return [machine(), pid, startOf(pid), randomBytes(4).toString("hex")].join("-")
}

/** Notes in the own folder where a draft lies; the note is removed by what is returned. */
export function noteDraft(own: string, path: string): () => void {
  const note = join(own, basename(path) + NOTE)
  writeFileSync(note, path, { mode: 0o600 })
  return () => rmSync(note, { force: true })
}

/**
 * Removes the folders of dead workers and the drafts that their notes name. Never throws: what
 * cannot be removed now can be later.
 */
export function removeLeftovers(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const own = join(folder, name)
      if (isLeft(name, own)) removeFolder(own)
    }
  } catch {
    // There is no such folder as long as nothing was staged, and another worker may remove the same.
  }
}

function isLeft(name: string, own: string): boolean {
  return isGone(name) ?? Date.now() - lstatSync(own).mtimeMs > STRANGERS_AGE_MS
}

/** Whether the owner of an {@link ownName} is dead; undefined where that cannot be told from here. */
export function isGone(name: string): boolean | undefined {
  const [place, pid, start] = name.split("-")
  return place === machine() ? !isAlive(Number(pid), start ?? "") : undefined
}

function removeFolder(own: string): void {
  for (const name of readdirSync(own)) {
    if (name.endsWith(NOTE)) removeDraft(readFileSync(join(own, name), "utf8"))
  }
  rmSync(own, { recursive: true, force: true })
}

/** The name alone makes it a draft: whatever the folders on the way have become, no other file goes. */
function removeDraft(path: string): void {
  if (isDraftName(basename(path))) rmSync(path, { force: true })
}

/** Process ids mean something within one start of one machine, and one of its namespaces. */
function machine(): string {
  if (process.platform !== "linux") return "here"
  const start = readFileSync("/proc/sys/kernel/random/boot_id", "utf8")
  const namespace = readlinkSync("/proc/self/ns/pid")
  return createHash("sha256").update(`${start}${namespace}`).digest("hex").slice(0, 12)
}

/** Another process that got the same id later has another start. */
function isAlive(pid: number, start: string): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) !== "ESRCH"
  }
  return startOf(pid) === start
}

/** The time since the machine's start at which the process began, where the system tells. */
function startOf(pid: number): string {
  if (process.platform !== "linux") return "0"
  const text = readFileSync(`/proc/${pid}/stat`, "utf8")
  const afterName = text.slice(text.lastIndexOf(")") + 2)
  return afterName.split(" ")[19] ?? "0"
}
