import { posix } from "node:path"
import type { ActionContext } from "@harness/sdk"

/**
 * Those of the paths that are files of the project, in their order. ripgrep finds folders by their
 * names, which can lead elsewhere by then; here each folder is looked at through the confined files.
 */
export async function filesThatAreThere(
  paths: readonly string[],
  { files, signal }: ActionContext,
): Promise<string[]> {
  const folders = new Map<string, ReadonlySet<string>>()
  const there: string[] = []
  for (const path of paths) {
    const folder = posix.dirname(path)
    let inside = folders.get(folder)
    if (inside === undefined) {
      signal.throwIfAborted()
      const listed = await files.list(folder)
      const entries = listed.status === "listed" ? listed.entries : []
      inside = new Set(entries.filter(({ type }) => type === "file").map(entry => entry.path))
      folders.set(folder, inside)
    }
    if (inside.has(path)) there.push(path)
  }
  return there
}
