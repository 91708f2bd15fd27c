import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"

/**
 * Names the state that an install leaves behind: it differs when anything that decides about the
 * dependencies differs, and is `absent` when there are no dependencies at all.
 *
 * @param {string} root
 * @param {string} nodePath
 */
export async function stateOfDependencies(root, nodePath) {
  if (!existsSync(join(root, "node_modules", ".pnpm"))) return "absent"

  const hash = createHash("sha256").update(nodePath)
  for (const file of await decidingFiles(root)) {
    hash.update(`\n${file}\n`).update(await readFile(join(root, file)))
  }
  return hash.digest("hex")
}

/** @param {string} root */
async function decidingFiles(root) {
  const files = ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml"]
  for (const group of ["packages", "plugins"]) {
    for (const name of (await readdir(join(root, group))).sort()) {
      const manifest = join(group, name, "package.json")
      if (existsSync(join(root, manifest))) files.push(manifest)
    }
  }
  return files
}
