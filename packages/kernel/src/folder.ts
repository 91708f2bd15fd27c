import { access, constants, realpath, stat } from "node:fs/promises"
import { failure } from "@harness/protocol"

/**
 * The real path of a folder that can be worked in.
 * Throws `folder_missing`, `folder_not_directory`, `folder_unreadable`.
 */
export async function usableFolder(folder: string): Promise<string> {
  try {
    const real = await realpath(folder)
    if (!(await stat(real)).isDirectory()) throw failure("folder_not_directory", { folder })
    await access(real, constants.R_OK | constants.X_OK)
    return real
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : ""
    if (code === "ENOENT") throw failure("folder_missing", { folder })
    if (code === "ENOTDIR") throw failure("folder_not_directory", { folder })
    if (code === "EACCES" || code === "EPERM" || code === "ELOOP") {
      throw failure("folder_unreadable", { folder, reason: `the system said ${code}` })
    }
    throw error
  }
}
