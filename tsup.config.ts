import { globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { defineConfig } from "tsup"

// One esbuild process for every package; `tsc --build` writes the declarations.
export default defineConfig(
  globSync("{packages,plugins}/*/package.json").map(manifest => ({
    entry: entriesOf(manifest),
    outDir: join(dirname(manifest), "dist"),
    format: ["esm"],
    target: "node24",
    dts: false,
    clean: false,
    sourcemap: false,
    silent: true,
    skipNodeModulesBundle: true,
  })),
)

/** The sources behind what a package exports and the commands that it brings. */
function entriesOf(manifest: string): Record<string, string> {
  const { exports = {}, bin = {} } = JSON.parse(readFileSync(manifest, "utf8"))
  const sources = [
    ...Object.values(exports).map(target => Object(target)["@harness/source"]),
    ...Object.values(bin).map(file => `./${String(file).replace(/^dist\/(.*)\.js$/, "src/$1.ts")}`),
  ]
  return Object.fromEntries(
    sources.map(source => [
      source.replace(/^\.\/src\/(.*)\.ts$/, "$1"),
      join(dirname(manifest), source),
    ]),
  )
}
