import { closeSync, fsyncSync, openSync } from "node:fs"

/** What was made, renamed or removed in a folder survives a crash of the machine only then. */
export function syncFolder(folder: string): void {
  if (process.platform === "win32") return
  const descriptor = openSync(folder, "r")
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
