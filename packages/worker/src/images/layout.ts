import { existsSync, realpathSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, sep } from "node:path"
import { fileURLToPath } from "node:url"

/** What a process that decodes needs to find. Real paths. */
export type Layout = {
  childFile: string
  /** Flags of its Node, for a checkout. */
  nodeFlags: readonly string[]
  /** Folders with its code and the library's, to be shown to it where a sandbox covers them. */
  folders: readonly string[]
}

/**
 * Finds the parts as seen from the module at `moduleUrl`: in the source, in the package's build, or in
 * a bundle of the whole of harness. Throws when one is missing, as the library is on a machine that it
 * has no build for.
 */
export function findLayout(moduleUrl: string): Layout {
  const candidates = ["./worker-image-child.js", "./images/child.js", "./child.js", "./child.ts"]
  const found = candidates
    .map(path => fileURLToPath(new URL(path, moduleUrl)))
    .find(path => existsSync(path))
  if (found === undefined) throw new Error("the module that decodes images is missing")

  const childFile = realpathSync(found)
  const library = realpathSync(createRequire(childFile).resolve("sharp"))
  const folders = [packageOf(childFile), modulesFolderOf(library)]
  const nodeFlags = childFile.endsWith(".ts") ? ["--conditions=@harness/source"] : []
  return { childFile, nodeFlags, folders }
}

/** The whole package: its own node_modules is where the library is looked for in a checkout. */
function packageOf(file: string): string {
  let folder = dirname(file)
  while (!existsSync(join(folder, "package.json")) && dirname(folder) !== folder) {
    folder = dirname(folder)
  }
  return folder
}

/** The outermost node_modules: what the library itself loads lies in there too. */
function modulesFolderOf(file: string): string {
  const marker = `${sep}node_modules${sep}`
  const at = file.indexOf(marker)
  return at < 0 ? dirname(file) : file.slice(0, at + marker.length - 1)
}
