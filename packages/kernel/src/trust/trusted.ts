import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { failure, Sha256 } from "@harness/protocol"
import * as z from "zod"
import { errnoOf, inWords } from "../config/errno.ts"
import { ensureHome } from "../config/home.ts"
import { changeStateFile } from "../config/state-file.ts"

/** What `trust.json` keeps: the sha256 of each trusted folder's `.harness/`, by its real path. */
const Trusted = z.strictObject({
  version: z.literal(1),
  folders: z.record(z.string(), Sha256),
})
type Trusted = z.infer<typeof Trusted>

/** What a folder's `.harness/` was when it was trusted, or undefined. Throws `trust_damaged`. */
export async function trustedContent(home: string, folder: string): Promise<string | undefined> {
  const { folders } = await readTrusted(trustFile(home))
  return Object.hasOwn(folders, folder) ? folders[folder] : undefined
}

/** Trusts a folder as it is; false when it was trusted so already. Throws `home_unusable`. */
export async function rememberTrust(
  home: string,
  folder: string,
  content: string,
): Promise<boolean> {
  return changeTrusted(home, trusted => {
    if (trusted.folders[folder] === content) return trusted
    return { ...trusted, folders: { ...trusted.folders, [folder]: content } }
  })
}

/** False when the folder was not trusted. Throws `home_unusable`. */
export async function forgetTrust(home: string, folder: string): Promise<boolean> {
  return changeTrusted(home, trusted => {
    if (!Object.hasOwn(trusted.folders, folder)) return trusted
    const { [folder]: _forgotten, ...folders } = trusted.folders
    return { ...trusted, folders }
  })
}

async function changeTrusted(
  home: string,
  change: (trusted: Trusted) => Trusted,
): Promise<boolean> {
  await ensureHome(home)
  let changed = false
  await changeStateFile(trustFile(home), readTrusted, before => {
    const after = change(before)
    changed = after !== before
    return after
  })
  return changed
}

async function readTrusted(file: string): Promise<Trusted> {
  let reason: string
  try {
    const parsed = Trusted.safeParse(JSON.parse(await readFile(file, "utf8")))
    if (parsed.success) return parsed.data
    reason = z.prettifyError(parsed.error)
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return { version: 1, folders: {} }
    reason = inWords(error)
  }
  throw failure("trust_damaged", { file, reason })
}

function trustFile(home: string): string {
  return join(home, "trust.json")
}
