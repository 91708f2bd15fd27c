import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { onTestFinished } from "vitest"
import { run } from "../../scripts/support/children.mjs"

export const root = fileURLToPath(new URL("../../", import.meta.url))

/** A copy of the sources, in which a test may plant what the live tree must never have. */
export type Tree = {
  readonly path: string
  write(file: string, text: string): Promise<void>
  node(script: string): Promise<{ code: number; output: string }>
}

export async function copyOfTree(): Promise<Tree> {
  const path = await mkdtemp(join(tmpdir(), "harness-tree-"))
  onTestFinished(() => rm(path, { recursive: true, force: true }))

  for (const entry of ["packages", "plugins", "scripts", "package.json"]) {
    await cp(join(root, entry), join(path, entry), copying)
  }
  for (const entry of ["tsconfig.base.json", ".dependency-cruiser.mjs"]) {
    await cp(join(root, entry), join(path, entry))
  }
  await symlink(join(root, "node_modules"), join(path, "node_modules"))

  return {
    path,
    write: async (file, text) => {
      await mkdir(dirname(join(path, file)), { recursive: true })
      await writeFile(join(path, file), text)
    },
    node: script => run(process.execPath, [script], { cwd: path, captured: true }),
  }
}

// Links stay relative, so that a package of the copy finds its siblings in the copy.
const copying = {
  recursive: true,
  verbatimSymlinks: true,
  filter: (source: string) => {
    const entry = /[\\/](?:packages|plugins)[\\/][^\\/]+[\\/]([^\\/]+)$/.exec(source)?.[1]
    return entry === undefined || ["src", "node_modules", "package.json"].includes(entry)
  },
}
