import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { onTestFinished } from "vitest"

/** A text is a file, `{link}` a symbolic link to that target, `null` an empty folder. */
type Content = Readonly<Record<string, string | { link: string } | null>>

/** A temporary folder of the test that runs, by its real path. */
export function folderWith(content: Content = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "harness-sandbox-")))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  put(folder, content)
  return folder
}

export function put(folder: string, content: Content): void {
  for (const [name, entry] of Object.entries(content)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    if (entry === null) mkdirSync(path, { recursive: true })
    else if (typeof entry === "string") writeFileSync(path, entry)
    else symlinkSync(entry.link, path)
  }
}
