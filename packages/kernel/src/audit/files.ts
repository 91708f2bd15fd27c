import { createHash } from "node:crypto"
import { type FileHandle, open, readFile } from "node:fs/promises"
import { join } from "node:path"
import type { AuditFinding } from "@harness/protocol"
import { inWords } from "../config/errno.ts"
import type { Expected, ExpectedFile } from "./expected.ts"
import { isOfTheLog, type KeptEntry } from "./inventory.ts"

export type AuditedFiles = {
  findings: AuditFinding[]
  /** Files that hold what they must, of a payload, process or program that does so as a whole. */
  intact: ExpectedFile[]
}

/**
 * Compares what lies in a conversation's folder with what its log says. Of an open conversation only
 * what the log names is compared: more may come while it is looked at.
 */
export async function auditFiles(
  expected: Expected,
  options: { folder: string; inventory: readonly KeptEntry[]; isOpen: boolean },
): Promise<AuditedFiles> {
  const { folder, inventory, isOpen } = options
  const entries = new Map(inventory.map(entry => [entry.place, entry]))
  const findings: AuditFinding[] = []
  const intact: ExpectedFile[] = []
  const spoiled = new Set<string>()

  for (const file of expected.files.values()) {
    const finding = await judged(file, entries.get(file.place), { folder, expected, isOpen })
    if (finding === "intact") intact.push(file)
    else spoiled.add(ownerOf(file))
    if (finding !== "intact" && finding !== null) findings.push(finding)
  }
  if (expected.collected !== null) findings.push(collectedFinding(expected.collected))
  if (!isOpen) findings.push(...unnamed(expected, inventory))
  return { findings, intact: intact.filter(file => !spoiled.has(ownerOf(file))) }
}

function ownerOf({ group, owner }: ExpectedFile): string {
  return `${group} ${owner}`
}

/** Payloads whose content is not what their own name says: all that is known without a log. */
export async function auditNames(
  folder: string,
  inventory: readonly KeptEntry[],
): Promise<AuditFinding[]> {
  const findings: AuditFinding[] = []
  for (const { place, type } of inventory) {
    const sha256 = /^artifacts\/evidence\/[0-9a-f]{2}\/([0-9a-f]{64})$/.exec(place)?.[1]
    if (sha256 === undefined) continue
    const found = type === "file" ? (await hashOf(join(folder, place))).sha256 : "no file"
    if (found !== sha256) findings.push(alteredBytes(place, found))
  }
  return findings
}

/** Null: it is not there, and may be so. */
async function judged(
  file: ExpectedFile,
  entry: KeptEntry | undefined,
  context: { folder: string; expected: Expected; isOpen: boolean },
): Promise<AuditFinding | "intact" | null> {
  const { place, content } = file
  if (entry === undefined) {
    if (file.redacted) return redactedFinding(file, context.expected)
    const detail = "text" in content ? "the log says what it held" : `its sha256 is ${file.sha256}`
    return file.mayBeAbsent ? null : { status: "missing", place, detail }
  }
  if (file.redacted) {
    const detail = "it was redacted, and its content is still there: redact it again"
    return { status: "unfinished", place, detail }
  }
  if (entry.type !== "file") return { status: "altered", place, detail: "it is no file" }
  try {
    return "text" in content
      ? await comparedText(place, content.text, context)
      : await comparedBytes(place, content, context)
  } catch (error) {
    return { status: "altered", place, detail: `it cannot be read: ${inWords(error)}` }
  }
}

async function comparedBytes(
  place: string,
  content: { sha256: string; bytes: number },
  { folder }: { folder: string },
): Promise<AuditFinding | "intact"> {
  const found = await hashOf(join(folder, place))
  if (found.sha256 !== content.sha256) return alteredBytes(place, found.sha256)
  if (found.bytes === content.bytes) return "intact"
  const detail = `it has ${found.bytes} bytes, and its record says ${content.bytes}`
  return { status: "altered", place, detail }
}

async function comparedText(
  place: string,
  text: string,
  { folder, isOpen }: { folder: string; isOpen: boolean },
): Promise<AuditFinding | "intact"> {
  const bytes = await readFile(join(folder, place))
  const wanted = Buffer.from(text)
  if (bytes.equals(wanted)) return "intact"
  const shorter = Math.min(bytes.length, wanted.length)
  if (isOpen && bytes.subarray(0, shorter).equals(wanted.subarray(0, shorter))) return "intact"

  const same = bytes.findIndex((byte, index) => byte !== wanted[index])
  const at = same < 0 ? shorter : same
  const line = bytes.subarray(0, at).toString("latin1").split("\n").length
  const detail = `line ${line} is not what the log says`
  return { status: "altered", place, detail }
}

function redactedFinding({ place, sha256 }: ExpectedFile, { redacted }: Expected): AuditFinding {
  return { status: "redacted", place, detail: redacted.get(sha256) ?? "no reason was given" }
}

function collectedFinding(record: NonNullable<Expected["collected"]>): AuditFinding {
  const { seq, files, bytes } = record
  const detail = `${files} files of ${bytes} bytes that the records before ${seq} name`
  return { status: "collected", place: "artifacts", detail }
}

function unnamed(expected: Expected, inventory: readonly KeptEntry[]): AuditFinding[] {
  return unnamedEntries(expected, inventory).map(({ place, bytes }) => {
    const detail = expected.untold.has(place)
      ? "the log has no end of this process"
      : `${bytes} bytes that no record names`
    return { status: "unnamed", place, detail }
  })
}

/** What lies there and no record tells of. */
export function unnamedEntries({ files }: Expected, inventory: readonly KeptEntry[]): KeptEntry[] {
  return inventory.filter(({ place }) => !files.has(place) && !isOfTheLog(place))
}

function alteredBytes(place: string, found: string): AuditFinding {
  return { status: "altered", place, detail: `its content has the sha256 ${found}` }
}

const chunkBytes = 1_048_576

async function hashOf(file: string): Promise<{ sha256: string; bytes: number }> {
  const digest = createHash("sha256")
  const handle: FileHandle = await open(file)
  let bytes = 0
  try {
    const chunk = Buffer.allocUnsafe(chunkBytes)
    for (;;) {
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, bytes)
      if (bytesRead === 0) break
      digest.update(chunk.subarray(0, bytesRead))
      bytes += bytesRead
    }
  } finally {
    await handle.close()
  }
  return { sha256: digest.digest("hex"), bytes }
}
