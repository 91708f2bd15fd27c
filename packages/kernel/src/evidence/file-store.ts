import { hash, randomUUID } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { EvidenceLink, failure, Sha256 } from "@harness/protocol"
import type { EvidenceRelation, EvidenceStore } from "@harness/sdk"
import * as z from "zod"
import { errnoOf, inWords } from "../config/errno.ts"
import { openIndex } from "./index-file.ts"
import { indexLine } from "./index-lines.ts"

export type EvidenceFolder = {
  /** `artifacts/evidence`: payloads at `<first two digits>/<sha256>`, relations in `index.jsonl`. */
  folder: string
  /** Hashes whose content was redacted: it is not kept again. */
  redacted?: ReadonlySet<string>
}

/**
 * Evidence in a folder. A payload appears in one step under its own hash, so that the worker can
 * write into the same folder. Payloads are not synced: one that a crash of the machine spoiled is
 * found by its hash, and put again when the same content comes again.
 */
export function openFileEvidence({ folder, redacted }: EvidenceFolder): EvidenceStore {
  const index = openIndex(folder)

  return {
    async put(bytes) {
      const sha256 = hash("sha256", bytes)
      const { parent, file } = placeOf(folder, sha256)
      if (!redacted?.has(sha256) && !contentOf(file)?.equals(bytes)) {
        mkdirSync(parent, { recursive: true, mode: 0o700 })
        writeWhole(file, bytes)
      }
      return { sha256, bytes: bytes.length }
    },

    async get(sha256) {
      if (redacted?.has(sha256)) return { status: "redacted" }
      const bytes = isAddress(sha256) ? contentOf(placeOf(folder, sha256).file) : null
      if (bytes === null) return { status: "missing" }
      const found = hash("sha256", bytes)
      return found === sha256 ? { status: "found", bytes } : { status: "altered", found }
    },

    async has(sha256) {
      return isAddress(sha256) && existsSync(placeOf(folder, sha256).file)
    },

    relate: relation => index.append(indexLine(relation)),

    async relations() {
      return index
        .read()
        .split("\n")
        .slice(0, -1)
        .map((line, at) => relationOf(line, at + 1, index.file))
    },
  }
}

function placeOf(folder: string, sha256: string): { parent: string; file: string } {
  const parent = join(folder, sha256.slice(0, 2))
  return { parent, file: join(parent, sha256) }
}

function isAddress(sha256: string): boolean {
  return Sha256.safeParse(sha256).success
}

/** The draft stands beside the payload, under a name that no other writer uses. */
function writeWhole(file: string, bytes: Uint8Array): void {
  const draft = `${file}.${randomUUID()}`
  try {
    writeFileSync(draft, bytes, { mode: 0o600, flag: "wx" })
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw unwritable(file, error)
  }
}

/** Null when there is no such file. */
function contentOf(file: string): Buffer | null {
  try {
    return readFileSync(file)
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return null
    throw error
  }
}

const Relation = z.strictObject({
  ...EvidenceLink.shape,
  action_id: z.string().nullable(),
  at: z.iso.datetime(),
})

function relationOf(line: string, record: number, index: string): EvidenceRelation {
  let reason: string
  try {
    const relation = Relation.safeParse(JSON.parse(line))
    if (relation.success) return relation.data
    reason = z.prettifyError(relation.error)
  } catch (error) {
    reason = inWords(error)
  }
  throw failure("log_damaged", { file: index, record, reason })
}

function unwritable(file: string, cause: unknown) {
  return failure("log_unwritable", { file, reason: inWords(cause) }, { cause })
}
