import { globSync, readFileSync } from "node:fs"
import { dirname } from "node:path"
import { defineConfig, type Options } from "tsup"
import { copyAssets, leanZod } from "./scripts/support/esbuild-plugins.mjs"

// One esbuild process for every package; `tsc --build` writes the declarations and keeps them.
const common: Options = {
  format: ["esm"],
  target: "node24",
  dts: false,
  clean: ["!**/*.d.ts", "!**/*.d.ts.map"],
  sourcemap: false,
  silent: true,
}

const cli = "packages/cli"
const folders = globSync("{packages,plugins}/*/package.json").map(file => dirname(file))

export default defineConfig([...folders.filter(each => each !== cli).map(library), commandLine()])

/** A library keeps its imports: each of its public entries is one flat file in dist. */
function library(folder: string): Options {
  return {
    ...common,
    entry: Object.fromEntries(entriesOf(folder, "index")),
    outDir: `${folder}/dist`,
    skipNodeModulesBundle: true,
    esbuildPlugins: [copyAssets(`${folder}/dist`)],
  }
}

/**
 * The command line carries all of our code and what it needs to start, each module once; what its
 * manifest names as a dependency is heavy or loaded late, and stays outside. Beside `main.js` lie
 * the entries that it starts or hands to packages: `@harness/sdk/loading` is `sdk-loading.js`.
 */
function commandLine(): Options {
  const { dependencies = {}, devDependencies = {} } = manifestOf(cli)
  const carried = folders.filter(folder => {
    const { name } = manifestOf(folder)
    return name in devDependencies && name !== "@harness/kernel"
  })
  const entries = carried
    .flatMap(folder => entriesOf(folder, folder.split("/").at(-1) ?? folder))
    .filter(([name]) => name !== "sdk-testing")

  return {
    ...common,
    entry: { main: `${cli}/src/main.ts`, ...Object.fromEntries(entries) },
    outDir: `${cli}/dist`,
    external: Object.keys(dependencies).map(name => new RegExp(`^${name}(?:/|$)`)),
    esbuildPlugins: [copyAssets(`${cli}/dist`), leanZod()],
    esbuildOptions: options => {
      options.conditions = ["@harness/source", "import"]
      options.minifySyntax = true
      options.minifyWhitespace = true
    },
  }
}

/** The public entries by the name of their built file: `./testing` is `testing`, `.` is `main`. */
function entriesOf(folder: string, main: string): [name: string, source: string][] {
  return Object.entries(manifestOf(folder).exports ?? {}).map(([path, target]) => {
    const rest = path.slice("./".length).replaceAll("/", "-")
    const name = main === "index" ? rest || main : [main, rest].filter(Boolean).join("-")
    return [name, `${folder}/${target["@harness/source"]}`]
  })
}

type Manifest = {
  name: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  exports?: Record<string, { "@harness/source": string }>
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(`${folder}/package.json`, "utf8"))
}
