import { existsSync } from "node:fs"
import { cp, mkdir, readFile } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"

/** @typedef {NonNullable<import("tsup").Options["esbuildPlugins"]>[number]} Plugin */

/**
 * Copies the files that our modules read beside themselves into the built folder, and makes the
 * built code look there: a bundler moves code, and would leave them behind. Such a file is named
 * by a literal, `new URL("./prelude.py", import.meta.url)`; it may be a folder.
 *
 * @param {string} outDir where every built file lies, without folders below it
 * @returns {Plugin}
 */
export function copyAssets(outDir) {
  return {
    name: "copy-assets",
    setup(build) {
      build.onLoad({ filter: ownSource }, async ({ path }) => {
        const assets = /** @type {Map<string, string>} */ (new Map())
        const source = await readFile(path, "utf8")
        const contents = source.replaceAll(urlBeside, (whole, literal) => {
          const from = resolve(dirname(path), literal)
          if (!isAsset(from)) return whole

          const name = builtName(from)
          assets.set(from, name)
          return `new URL("./${name}${literal.endsWith("/") ? "/" : ""}", import.meta.url)`
        })

        await mkdir(outDir, { recursive: true })
        for (const [from, name] of assets) await cp(from, join(outDir, name), { recursive: true })
        return { contents, loader: "ts" }
      })
    },
  }
}

/**
 * `import { z }` is an object with all of zod, half a megabyte; `import * as z` is what is used.
 * Our code imports the second way, a dependency that we carry must not undo it.
 *
 * @returns {Plugin}
 */
export function leanZod() {
  return {
    name: "lean-zod",
    setup(build) {
      build.onLoad({ filter: /[\\/]@ai-sdk[\\/].*\.m?js$/ }, async ({ path }) => {
        const source = await readFile(path, "utf8")
        return {
          contents: source.replaceAll(/import \{ z \} from "zod/g, 'import * as z from "zod'),
        }
      })
    },
  }
}

const ownSource = /[\\/](?:packages|plugins)[\\/][^\\/]+[\\/]src[\\/].*\.ts$/
const urlBeside = /new URL\(\s*"(\.\.?\/[^"]+)",\s*import\.meta\.url,?\s*\)/g

/** @param {string} path */
function isAsset(path) {
  return /[\\/]src[\\/]/.test(path) && !/\.m?[jt]s$/.test(path) && existsSync(path)
}

/**
 * Two packages may have an asset of the same name, and the command line carries both.
 *
 * @param {string} path
 */
function builtName(path) {
  const owner = /[\\/]([^\\/]+)[\\/]src[\\/]/.exec(path)?.[1]
  return `${owner}.${basename(path)}`
}
