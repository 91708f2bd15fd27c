import { randomUUID } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Sha256 } from "@harness/protocol"
import { sha256Of } from "../files/content.ts"

/** Payloads under their sha256; the controller's index says what they are to whom. */
export interface Payloads {
  /** True also of what was redacted: its hash is all that is kept of it, from then on. */
  has(sha256: string): boolean
  /** Writes the payload whole or not at all; the same content is kept once. Throws the system's error. */
  put(sha256: string, bytes: Uint8Array): void
  /** Null for what is not there, or is not what its hash says. */
  get(sha256: string): Uint8Array | null
}

/** `<artifacts>/evidence/<2>/<sha256>`; nothing is written under the hashes of `redacted`. */
export function payloadsIn(artifacts: string, redacted: ReadonlySet<string> = new Set()): Payloads {
  const folderOf = (sha256: string) => join(artifacts, "evidence", sha256.slice(0, 2))
  const has = (sha256: string) => redacted.has(sha256) || existsSync(join(folderOf(sha256), sha256))

  return {
    has,
    get(sha256) {
      if (!Sha256.safeParse(sha256).success) return null
      const file = join(folderOf(sha256), sha256)
      const bytes = existsSync(file) ? readFileSync(file) : null
      return bytes !== null && sha256Of(bytes) === sha256 ? bytes : null
    },
    put(sha256, bytes) {
      if (has(sha256)) return
      const folder = folderOf(sha256)
      const unfinished = join(folder, `.${randomUUID()}`)
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      try {
        writeFileSync(unfinished, bytes, { mode: 0o600, flag: "wx" })
        renameSync(unfinished, join(folder, sha256))
      } catch (error) {
        rmSync(unfinished, { force: true })
        throw error
      }
    },
  }
}
