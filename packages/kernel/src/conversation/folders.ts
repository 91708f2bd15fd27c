import { readFile } from "node:fs/promises"
import { failure } from "@harness/protocol"
import * as z from "zod"
import { errnoOf, inWords } from "../config/errno.ts"
import { changeStateFile } from "../config/state-file.ts"

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

/** Changes the file in one step, alone. Throws `folders_invalid`, `home_unusable`. */
export function changeFolders(
  file: string,
  change: (folders: Folders) => Folders,
): Promise<Folders> {
  return changeStateFile(file, readFolders, change)
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
