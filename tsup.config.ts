import { cpSync, globSync, readFileSync } from "node:fs"
import { dirname } from "node:path"
import { defineConfig, type Options } from "tsup"
import { fewChunks } from "./scripts/support/few-chunks.mjs"
import { leanZod } from "./scripts/support/lean-zod.mjs"

// One esbuild process for every package; `tsc --build` writes the declarations and keeps them.
const common: Options = {
  format: ["esm"],
  target: "node24",
  dts: false,
  clean: ["!**/*.d.ts", "!**/*.d.ts.map"],
  sourcemap: false,
  silent: true,
  // Without its prefix `node:sqlite` is no module.
  removeNodeProtocol: false,
}

const cli = "packages/cli"
const python = "packages/programs-python"
const prelude = `${python}/src/child/prelude`
const kernel = "packages/kernel"
const grammar = "tree-sitter-bash.wasm"
const folders = globSync("{packages,plugins}/*/package.json").map(file => dirname(file))

export default defineConfig([...folders.filter(each => each !== cli).map(library), commandLine()])

/** A library keeps its imports; src/testing/index.ts becomes dist/testing/index.js. */
function library(folder: string): Options {
  const sources = Object.values(sourcesOf(folder))
  return {
    ...common,
    entry: Object.fromEntries(
      sources.map(source => [source.replace(/^.*?\/src\/(.*)\.ts$/, "$1"), source]),
    ),
    outDir: `${folder}/dist`,
    skipNodeModulesBundle: true,
    onSuccess: async () => {
      if (folder === python) cpSync(prelude, `${python}/dist/child/prelude`, { recursive: true })
      if (folder === kernel) copyGrammar(kernel)
    },
  }
}

/**
 * The command line carries all of our code and what it needs to start, each module once; what its
 * manifest names as a dependency is heavy or loaded late, and stays outside. Beside `main.js` lie
 * the entries that it starts or hands to packages: `@harness/sdk/loading` is `sdk-loading.js`.
 */
function commandLine(): Options {
  const { dependencies = {}, devDependencies = {} } = manifestOf(cli)
  const notLocated = ["@harness/kernel", "@harness/sdk/testing"]
  const entries = folders
    .filter(folder => manifestOf(folder).name in devDependencies)
    .flatMap(folder => Object.entries(sourcesOf(folder)))
    .filter(([specifier]) => !notLocated.includes(specifier))
    .map(([specifier, source]) => [builtName(specifier), source])

  return {
    ...common,
    entry: { main: `${cli}/src/main.ts`, ...Object.fromEntries(entries) },
    outDir: `${cli}/dist`,
    metafile: true,
    external: Object.keys(dependencies).map(name => new RegExp(`^${name}(?:/|$)`)),
    esbuildPlugins: [leanZod()],
    esbuildOptions: options => {
      options.conditions = ["@harness/source", "import"]
      options.minifySyntax = true
      options.minifyWhitespace = true
    },
    onSuccess: async () => {
      await fewChunks(`${cli}/dist`)
      cpSync(prelude, `${cli}/dist/prelude`, { recursive: true })
      copyGrammar(cli)
    },
  }
}

/** The grammar of command lines lies beside the module that loads it. */
function copyGrammar(folder: string): void {
  cpSync(`${kernel}/node_modules/tree-sitter-bash/${grammar}`, `${folder}/dist/${grammar}`)
}

function builtName(specifier: string): string {
  return specifier.replace("@harness/", "").replaceAll("/", "-")
}

/** The sources of a package's public entries by the specifiers that import them. */
function sourcesOf(folder: string): Record<string, string> {
  const { name, exports = {} } = manifestOf(folder)
  return Object.fromEntries(
    Object.entries(exports).map(([path, target]) => [
      `${name}${path.slice(1)}`,
      `${folder}${target["@harness/source"].slice(1)}`,
    ]),
  )
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
