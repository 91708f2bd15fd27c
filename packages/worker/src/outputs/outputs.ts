import { closeSync, fstatSync, openSync, readSync } from "node:fs"
import { join } from "node:path"
import type { Outputs } from "@harness/sdk"
import { codeOf } from "../thrown.ts"

/**
 * The outputs of processes and programs below `<artifacts>`, by the ids that receipts name, and
 * payloads of evidence by their sha256.
 */
export function outputsIn(artifacts: string): Outputs {
  return {
    async read(id, window) {
      const file = fileOf(artifacts, id)
      if (file === undefined) return unknown(id)
      try {
        return { status: "read", offset: window.offset, ...readWindow(file, window) }
      } catch (error) {
        if (codeOf(error) === "ENOENT") return unknown(id)
        throw error
      }
    },
  }
}

/** Only ids that we could have given become paths. */
function fileOf(artifacts: string, id: string): string | undefined {
  const name = id.replace(/^output:/, "")
  const program = /^program-([0-9]{1,9})$/.exec(name)?.[1]
  if (program !== undefined) return join(artifacts, "programs", program, "output")
  if (/^[0-9a-f]{64}$/.test(name)) return join(artifacts, "evidence", name.slice(0, 2), name)
  const [, scratch, process] = /^(scratch-)?([0-9a-f]{8})$/.exec(name) ?? []
  if (process === undefined) return undefined
  return join(artifacts, scratch === undefined ? "processes" : "scratch", process, "output")
}

function readWindow(
  file: string,
  { offset, limitBytes }: { offset: number; limitBytes: number },
): { bytes: Buffer; size: number } {
  const descriptor = openSync(file, "r")
  try {
    const { size } = fstatSync(descriptor)
    const bytes = Buffer.alloc(Math.max(Math.min(limitBytes, size - offset), 0))
    const count = bytes.length === 0 ? 0 : readSync(descriptor, bytes, 0, bytes.length, offset)
    return { bytes: bytes.subarray(0, count), size }
  } finally {
    closeSync(descriptor)
  }
}

function unknown(id: string) {
  return {
    status: "refused" as const,
    error: "not_found" as const,
    message: `There is no output ${id} in this conversation.`,
  }
}
