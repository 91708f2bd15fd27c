import { createHash } from "node:crypto"
import { createReadStream, lstatSync, realpathSync } from "node:fs"
import { dirname, join } from "node:path"
import { errnoOf } from "../config/errno.ts"

/** What has a path of a project's folder now. */
export type CurrentFile =
  | { status: "absent" }
  | { status: "file"; sha256: string; mode: number }
  /** A folder, a link, a device; or a place that a link leads to. */
  | { status: "other" }

/**
 * Looks without changing anything: for a list that is shown. What is done is judged again by the
 * worker, on the opened file.
 *
 * @param path relative to the root, with `/`
 */
export async function currentFile(root: string, path: string): Promise<CurrentFile> {
  const file = join(root, path)
  try {
    if (realpathSync(dirname(file)) !== dirname(file)) return { status: "other" }
    const stats = lstatSync(file)
    if (!stats.isFile()) return { status: "other" }

    const digest = createHash("sha256")
    for await (const chunk of createReadStream(file)) digest.update(chunk)
    return { status: "file", sha256: digest.digest("hex"), mode: stats.mode & 0o7777 }
  } catch (error) {
    const code = errnoOf(error)
    if (code === "ENOENT") return { status: "absent" }
    if (code === undefined) throw error
    return { status: "other" }
  }
}
