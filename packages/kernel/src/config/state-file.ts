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
import { dirname } from "node:path"
import { setTimeout } from "node:timers/promises"
import { errnoOf } from "./errno.ts"
import { homeFailure } from "./home.ts"

/**
 * Changes a small JSON file of HARNESS_HOME in one step, alone: the draft of the next content is the
 * lock, made by one process at a time and gone with the rename. Another process that changes the file
 * waits, so that neither loses what the other wrote. A `change` that returns what it was given leaves
 * the file as it is. Throws what `read` throws, and `home_unusable`.
 *
 * @param textOf how the content is written; as JSON unless it is said
 *
 * @example
 * await changeStateFile(file, readTrusted, trusted => ({ ...trusted, folders: {} }))
 */
export async function changeStateFile<Content>(
  file: string,
  read: (file: string) => Promise<Content>,
  change: (content: Content) => Content | Promise<Content>,
  textOf = (content: Content) => `${JSON.stringify(content, null, 2)}\n`,
): Promise<Content> {
  const draft = `${file}.new`
  for (;;) {
    const descriptor = await openDraft(draft, dirname(file))
    try {
      const before = await read(file)
      const after = await change(before)
      if (after !== before) {
        writeFileSync(descriptor, textOf(after))
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
