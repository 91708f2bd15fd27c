import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs"
import { readFile } from "node:fs/promises"
import { dirname } from "node:path"
import { setTimeout } from "node:timers/promises"
import { failure } from "@harness/protocol"
import * as z from "zod"
import { errnoOf, inWords } from "../config/errno.ts"
import { homeFailure } from "../config/home.ts"

/** What `folders.json` keeps: this machine's own, of which nothing else knows. */
export const Folders = z.strictObject({
  version: z.literal(1),
  /** The random keys of folders without a git remote, by real path. */
  keys: z.record(z.string(), z.string()),
  /** Keys that a folder had before it got a remote, and the key that it has since. */
  aliases: z.record(z.string(), z.string()),
})
export type Folders = z.infer<typeof Folders>

/** Reads the file; without one, what it would say. Throws `folders_invalid`. */
export async function readFolders(file: string): Promise<Folders> {
  let text: string
  try {
    text = await readFile(file, "utf8")
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return { version: 1, keys: {}, aliases: {} }
    throw failure("folders_invalid", { file, reason: inWords(error) }, { cause: error })
  }
  return parsed(text, file)
}

/**
 * Changes the file in one step, alone: the draft of the next content is the lock, made by one process
 * at a time and gone with the rename. Another process that changes the file waits, so that neither
 * loses the other's folder. Throws `folders_invalid`, `home_unusable`.
 */
export async function changeFolders(
  file: string,
  change: (folders: Folders) => Folders,
): Promise<Folders> {
  const draft = `${file}.new`
  for (;;) {
    const descriptor = await openDraft(draft, dirname(file))
    try {
      const before = await readFolders(file)
      const after = change(before)
      if (after !== before) {
        writeFileSync(descriptor, `${JSON.stringify(after, null, 2)}\n`)
        fsyncSync(descriptor)
      }
      if (!isStill(draft, descriptor)) continue

      if (after === before) unlinkSync(draft)
      else renameSync(draft, file)
      return after
    } catch (error) {
      if (isStill(draft, descriptor)) unlinkSync(draft)
      throw homeFailure(dirname(file), error)
    } finally {
      closeSync(descriptor)
    }
  }
}

async function openDraft(draft: string, home: string): Promise<number> {
  for (;;) {
    try {
      return openSync(draft, "wx", 0o600)
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw homeFailure(home, error)
    }
    const made = statSync(draft, { throwIfNoEntry: false })?.mtimeMs
    if (made !== undefined && Date.now() - made > abandonedMs) rmSync(draft, { force: true })
    else await setTimeout(pollMs)
  }
}

/** Nobody needs this long to write one small file: its process was killed. */
const abandonedMs = 5_000

const pollMs = 5

/** False when somebody took this draft for abandoned and made another. */
function isStill(draft: string, descriptor: number): boolean {
  return statSync(draft, { throwIfNoEntry: false })?.ino === fstatSync(descriptor).ino
}

function parsed(text: string, file: string): Folders {
  let reason: string
  try {
    const folders = Folders.safeParse(JSON.parse(text))
    if (folders.success) return folders.data
    reason = z.prettifyError(folders.error)
  } catch (error) {
    reason = inWords(error)
  }
  throw failure("folders_invalid", { file, reason })
}
