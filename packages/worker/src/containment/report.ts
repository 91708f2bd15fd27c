import { closeSync, openSync, readSync, unlinkSync } from "node:fs"
import { join } from "node:path"

/** A file without a name in which a sandbox tells what it started. */
export type Report = {
  /** To be passed on. */
  descriptor: number
  /** Empty once it is closed. */
  text(): string
  close(): void
}

/** A report has two short lines. */
const REPORT_BYTES = 4_096

/** `folder` exists and is not the command's; nothing stays in it. Throws the system's error. */
export function newReport(folder: string): Report {
  const file = join(folder, "report")
  const descriptor = openSync(file, "wx+", 0o600)
  unlinkSync(file)
  let open = true
  return {
    descriptor,
    text() {
      if (!open) return ""
      const bytes = Buffer.alloc(REPORT_BYTES)
      return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, bytes.length, 0))
    },
    close() {
      closeSync(descriptor)
      open = false
    },
  }
}
