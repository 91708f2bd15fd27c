import { access, constants, realpath, stat } from "node:fs/promises"
import { isAbsolute, relative, sep } from "node:path"
import { failure } from "@harness/protocol"

/**
 * The real path of a folder that an agent may work in. Throws what {@link usableFolder} throws, and
 * `folder_reserved` for one in `home`, HARNESS_HOME: who works there could give itself leave.
 */
export async function projectFolder(folder: string, home: string): Promise<string> {
  const real = await usableFolder(folder)
  if (await liesIn(real, home)) throw failure("folder_reserved", { folder, home })
  return real
}

/**
 * The real path of a folder that can be read.
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

/** `home` may not exist yet; then nothing lies in it. */
async function liesIn(real: string, home: string): Promise<boolean> {
  const from = await realpath(home).catch(() => home)
  const way = relative(from, real)
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}
