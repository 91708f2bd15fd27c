import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"

/** The files below these folders, but for those at `except`, that hold one of the texts. */
export async function filesHolding(
  texts: readonly string[],
  folders: readonly string[],
  except: readonly string[] = [],
): Promise<string[]> {
  const found: string[] = []
  for (const folder of folders) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    for (const entry of entries.filter(each => each.isFile())) {
      const path = join(entry.parentPath, entry.name)
      if (except.includes(path)) continue
      const bytes = await readFile(path)
      if (texts.some(text => bytes.includes(text))) found.push(path)
    }
  }
  return found
}
