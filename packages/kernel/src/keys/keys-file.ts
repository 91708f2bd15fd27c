import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { failure } from "@harness/protocol"
import * as z from "zod"
import { errnoOf, inWords } from "../config/errno.ts"
import { ensureHome } from "../config/home.ts"
import { changeStateFile } from "../config/state-file.ts"

/** Where the key of a provider is: here, or in the keychain under that account. */
const StoredKey = z.discriminatedUnion("stored", [
  z.strictObject({ stored: z.literal("file"), key: z.string() }),
  z.strictObject({ stored: z.literal("keychain"), account: z.string() }),
])
export type StoredKey = z.infer<typeof StoredKey>

/** What `keys.json` holds, by the providers' names. */
const StoredKeys = z.strictObject({
  version: z.literal(1),
  providers: z.record(z.string(), StoredKey),
})
type StoredKeys = z.infer<typeof StoredKeys>

/** `keys.json` of a home. */
export function keysFile(home: string): string {
  return join(home, "keys.json")
}

/**
 * Where a provider's key is stored, or undefined. Costs a look at a file that is not there for who
 * never logged in. Throws `keys_unusable`.
 */
export function storedKeyOf(home: string, provider: string): StoredKey | undefined {
  const { providers } = readStoredKeys(keysFile(home))
  return Object.hasOwn(providers, provider) ? providers[provider] : undefined
}

/**
 * Puts down where a provider's key is, or with null that there is none. The file is written in one
 * step, for its owner alone. Throws `keys_unusable`, `home_unusable`, `disk_full`.
 */
export async function rememberStoredKey(
  home: string,
  provider: string,
  stored: StoredKey | null,
): Promise<void> {
  await ensureHome(home)
  const read = async (file: string) => readStoredKeys(file)
  await changeStateFile(keysFile(home), read, ({ version, providers }) => {
    const others = Object.entries(providers).filter(([name]) => name !== provider)
    const own = stored === null ? [] : [[provider, stored] as const]
    return { version, providers: Object.fromEntries([...others, ...own]) }
  })
}

/** The sentence for a file that does not hold what it should: what stands in it may be a key. */
const notOurs = "it is not what harness login writes"

function readStoredKeys(file: string): StoredKeys {
  const text = readPrivately(file)
  if (text === undefined) return { version: 1, providers: {} }

  const parsed = StoredKeys.safeParse(jsonOf(text))
  if (parsed.success) return parsed.data
  throw unusable(file, notOurs)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The file's text when only its owner can read and write it; undefined when there is none. */
function readPrivately(file: string): string | undefined {
  let descriptor: number
  try {
    // Not blocking, for a pipe in its place would wait for a writer.
    descriptor = openSync(file, constants.O_RDONLY | noFollow | nonBlocking)
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined
    throw unusable(file, errnoOf(error) === "ELOOP" ? "it is a symbolic link" : inWords(error))
  }

  try {
    const found = fstatSync(descriptor)
    if (!found.isFile()) throw unusable(file, "it is not a file")
    const user = process.getuid?.()
    if (user !== undefined && found.uid !== user) throw unusable(file, "it belongs to another user")
    if (user !== undefined && (found.mode & 0o077) !== 0) {
      const mode = (found.mode & 0o777).toString(8).padStart(4, "0")
      throw unusable(file, `others may use it too (mode ${mode})`)
    }
    return readFileSync(descriptor, "utf8")
  } finally {
    closeSync(descriptor)
  }
}

/** Windows has neither flag, and no modes: a profile's folder is private there. */
const { O_NOFOLLOW: noFollow = 0, O_NONBLOCK: nonBlocking = 0 } = constants

function unusable(file: string, reason: string) {
  return failure("keys_unusable", { file, reason })
}
