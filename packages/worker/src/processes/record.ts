import { randomBytes } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { type Containment, type ProcessChanges, ProcessReceipt } from "@harness/protocol"
import type { ProcessEnd } from "@harness/sdk"
import { sha256Of } from "../files/content.ts"
import { codeOf } from "../thrown.ts"
import { type Captured, previewOf } from "./capture.ts"
import type { Ended } from "./supervise.ts"

/** Where a process leaves its output and its receipt. */
export type ProcessRecord = {
  id: string
  folder: string
  output: string
  /** Why nothing can be kept there. */
  problem: string | undefined
}

/**
 * Makes `<artifacts>/processes/<id>` for a new process, or `<artifacts>/scratch/<id>` for one whose
 * output is gone with its action.
 */
export function newRecord(artifacts: string, { scratch }: { scratch: boolean }): ProcessRecord {
  const name = randomBytes(4).toString("hex")
  const id = scratch ? `scratch-${name}` : name
  const folder = join(artifacts, scratch ? "scratch" : "processes", name)
  const record = { id, folder, output: join(folder, "output"), problem: undefined }
  try {
    makeFolder(folder)
    return record
  } catch (error) {
    return { ...record, problem: `its output cannot be kept: ${codeOf(error)}` }
  }
}

/** Closes the record of a process that ran. */
export function ended(
  record: ProcessRecord,
  end: Ended,
  captured: Captured,
  { containment, changes }: { containment: Containment; changes: ProcessChanges | undefined },
): ProcessEnd {
  const known = { containment, ...(changes !== undefined && { changes }) }
  const receipt = { ...receiptOf(record, end, captured), ...known }
  return settle(record, captured.preview, receipt)
}

/** What a running process has come to; nothing is written. */
export function running(
  record: ProcessRecord,
  elapsedMs: number,
  captured: Captured,
  containment: Containment,
): ProcessEnd {
  const end = { status: "running" as const, exitCode: null, signal: null, elapsedMs }
  const receipt = { ...receiptOf(record, end, captured), containment }
  return { receipt, preview: captured.preview }
}

/** Closes the record of a process that never was. */
export function notStarted(record: ProcessRecord, reason: string): ProcessEnd {
  if (record.problem === undefined) writeOrLeave(record.output, "")
  return settle(record, "", {
    id: record.id,
    status: "not_started",
    exit_code: null,
    signal: null,
    elapsed_seconds: 0,
    output_bytes: 0,
    dropped_bytes: 0,
    output_sha256: sha256Of(new Uint8Array()),
    output_id: `output:${record.id}`,
    truncated: false,
    reason,
  })
}

function receiptOf(
  record: ProcessRecord,
  end: Omit<Ended, "drained">,
  captured: Captured,
): ProcessReceipt {
  return {
    id: record.id,
    status: end.status,
    exit_code: end.exitCode,
    signal: end.signal,
    elapsed_seconds: Math.round(end.elapsedMs) / 1_000,
    output_bytes: captured.keptBytes,
    dropped_bytes: captured.droppedBytes,
    output_sha256: captured.sha256,
    output_id: `output:${record.id}`,
    truncated: captured.truncated,
  }
}

/** How a process of this conversation ended, as its record says; null when there is none. */
export function keptEnd(
  artifacts: string,
  id: string,
  { preview_bytes }: { preview_bytes: number },
): ProcessEnd | null {
  if (!/^[0-9a-f]{8}$/.test(id)) return null
  const folder = join(artifacts, "processes", id)
  try {
    const text = readFileSync(join(folder, "receipt.json"), "utf8")
    const receipt = ProcessReceipt.parse(JSON.parse(text))
    return { receipt, preview: previewOf(join(folder, "output"), preview_bytes) }
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null
    throw error
  }
}

/** An id that is taken fails here, and nothing of the other process is touched. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error
    mkdirSync(dirname(folder), { recursive: true, mode: 0o700 })
    mkdirSync(folder, { mode: 0o700 })
  }
}

function settle(record: ProcessRecord, preview: string, receipt: ProcessReceipt): ProcessEnd {
  if (record.problem === undefined) {
    writeOrLeave(join(record.folder, "receipt.json"), `${JSON.stringify(receipt)}\n`)
  }
  return { receipt, preview }
}

/** A full disk must not hide how the process ended: the receipt still goes to the controller's log. */
function writeOrLeave(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600 })
  } catch {
    // The audit names what is missing here.
  }
}
