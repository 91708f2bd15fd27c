import { existsSync, realpathSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"

/** Real paths: the permission model of the interpreter's process judges by them. */
export type Layout = {
  /** The module that the interpreter's process runs. */
  childFile: string
  /** What that process may read: its own code, Pyodide. */
  readable: readonly string[]
  /** The folder of the Python files that run before any program. */
  preludeFolder: string
  pyodideFolder: string
  pyodideVersion: string
}

/**
 * Finds the parts of this package, as seen from the module at `moduleUrl`: in the source
 * (`child/main.ts`), in the package's build (`child/main.js`) or in a bundle of the whole of harness
 * (`programs-python-child.js` and `prelude/` beside it). Throws if a part is missing.
 */
export function findLayout(moduleUrl: string): Layout {
  const beside = (path: string) => fileURLToPath(new URL(path, moduleUrl))
  const [childFile, preludeFolder] = choose([
    [beside("./programs-python-child.js"), beside("./prelude")],
    [beside("./child/main.js"), beside("./child/prelude")],
    [beside("./child/main.ts"), beside("./child/prelude")],
  ])
  const manifest = createRequire(moduleUrl).resolve("pyodide/package.json")
  const { version }: { version: string } = createRequire(moduleUrl)(manifest)
  const pyodideFolder = dirname(realpathSync(manifest))

  return {
    childFile,
    readable: [dirname(childFile), dirname(dirname(childFile)), pyodideFolder],
    preludeFolder,
    pyodideFolder,
    pyodideVersion: version,
  }
}

function choose(candidates: readonly [child: string, prelude: string][]): [string, string] {
  for (const [child, prelude] of candidates) {
    if (existsSync(child) && existsSync(prelude))
      return [realpathSync(child), realpathSync(prelude)]
  }
  throw new Error(
    `the interpreter's code is missing: ${candidates.map(([file]) => file).join(", ")}`,
  )
}
