import { readFile } from "node:fs/promises"

/** @typedef {NonNullable<import("tsup").Options["esbuildPlugins"]>[number]} Plugin */

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
