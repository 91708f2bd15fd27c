import { hash, randomUUID } from "node:crypto"
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { EvidenceLink, failure, Sha256 } from "@harness/protocol"
import type { EvidenceRelation, EvidenceStore } from "@harness/sdk"
import * as z from "zod"
import { errnoOf, inWords } from "../config/errno.ts"

export type EvidenceFolder = {
  /** `artifacts/evidence`: payloads at `<first two digits>/<sha256>`, relations in `index.jsonl`. */
  folder: string
  /** Milliseconds since 1970. */
  now: () => number
}

/**
 * Evidence in a folder. A payload appears in one step under its own hash, so that the worker can
 * write into the same folder. Payloads are not synced: one that a crash of the machine spoiled is
 * found by its hash, and put again when the same content comes again.
 */
export function openFileEvidence({ folder, now }: EvidenceFolder): EvidenceStore {
  const index = join(folder, "index.jsonl")
  let indexReady = false

  function prepareIndex(): void {
    if (indexReady) return
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    cutTornLine(index)
    indexReady = true
  }

  return {
    async put(bytes) {
      const sha256 = hash("sha256", bytes)
      const { parent, file } = placeOf(folder, sha256)
      if (!contentOf(file)?.equals(bytes)) {
        mkdirSync(parent, { recursive: true, mode: 0o700 })
        writeWhole(file, bytes)
      }
      return { sha256, bytes: bytes.length }
    },

    async get(sha256) {
      const bytes = isAddress(sha256) ? contentOf(placeOf(folder, sha256).file) : null
      if (bytes === null) return { status: "missing" }
      const found = hash("sha256", bytes)
      return found === sha256 ? { status: "found", bytes } : { status: "altered", found }
    },

    async has(sha256) {
      return isAddress(sha256) && existsSync(placeOf(folder, sha256).file)
    },

    relate(relation) {
      const at = new Date(now()).toISOString()
      try {
        prepareIndex()
        appendFileSync(index, `${JSON.stringify({ ...relation, at })}\n`, { mode: 0o600 })
      } catch (error) {
        indexReady = false
        throw unwritable(index, error)
      }
    },

    async relations() {
      const text = contentOf(index)?.toString() ?? ""
      return text
        .split("\n")
        .slice(0, -1)
        .map((line, at) => relationOf(line, at + 1, index))
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

/** The next line must not be glued to one that a crash, or a full disk, cut off. */
function cutTornLine(index: string): void {
  const bytes = contentOf(index)
  if (bytes === null) return
  const whole = bytes.lastIndexOf("\n") + 1
  if (whole < bytes.length) truncateSync(index, whole)
}

const Relation = z.strictObject({
  ...EvidenceLink.shape,
  action_id: z.string().optional(),
  program: z.int().positive().optional(),
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
