import { readdirSync, readFileSync, rmSync } from "node:fs"
import { join, resolve } from "node:path"
import { rollup } from "rollup"

/**
 * What starts together, by the sources whose static imports it is: what help and version need, the
 * parser of the command line, a run, its provider, the worker.
 */
const starts = {
  bare: ["packages/cli/src/main.ts"],
  shell: ["packages/cli/src/process.ts", "packages/cli/src/command-line.ts"],
  run: [
    "packages/cli/src/commands/run.ts",
    "packages/cli/src/compose.ts",
    "packages/kernel/src/index.ts",
    "packages/sdk/src/index.ts",
    "packages/sdk/src/loading.ts",
  ],
  provider: ["packages/models/src/index.ts", "plugins/provider-openai-compatible/src/index.ts"],
  worker: ["packages/worker/src/ipc/serve.ts", "packages/sdk/src/loading.ts"],
}

/**
 * Puts what starts together into few files. esbuild makes one file of every set of modules that has
 * the same importers, and every lazy import is one: a run read seventy files, each of which Node
 * resolves, reads and links. `folder` holds its output with `metafile-esm.json`, which goes.
 *
 * @param {string} folder
 */
export async function fewChunks(folder) {
  const metafile = join(folder, "metafile-esm.json")
  const { outputs } = JSON.parse(readFileSync(metafile, "utf8"))
  const built = readdirSync(folder).filter(name => name.endsWith(".js"))
  const groupOf = groups(outputs)

  const bundle = await rollup({
    input: Object.fromEntries(
      built.filter(name => !hashed.test(name)).map(name => [name.slice(0, -3), join(folder, name)]),
    ),
    external: id => !/^[./]/.test(id) && !id.startsWith(resolve(folder)),
    preserveEntrySignatures: "strict",
    treeshake: false,
  })
  for (const name of built) rmSync(join(folder, name))
  rmSync(metafile)

  await bundle.write({
    dir: folder,
    format: "es",
    compact: true,
    hoistTransitiveImports: false,
    entryFileNames: "[name].js",
    chunkFileNames: ({ name }) => (hashed.test(`${name}.js`) ? "[name].js" : "[name]-[hash].js"),
    manualChunks: groupOf,
  })
  await bundle.close()
}

/** What is no entry ends with esbuild's hash. */
const hashed = /-[A-Z0-9]{8}\.js$/

/**
 * The name of the file for a built module, after all the starts that reach it. What the bare command
 * loads stays apart: help and version need nothing else. An entry stays its own.
 *
 * @param {Record<string, Output>} outputs
 */
function groups(outputs) {
  const paths = new Map(Object.entries(outputs).map(([path, { entryPoint }]) => [entryPoint, path]))
  const reached = Object.entries(starts).map(([name, sources]) => ({
    name,
    files: reachedFrom(sources),
  }))

  /** @param {string} id */
  return id => {
    const path = Object.keys(outputs).find(output => resolve(output) === id)
    if (path === undefined || !hashed.test(path)) return undefined
    const names = reached.filter(({ files }) => files.has(path)).map(({ name }) => name)
    if (names.includes("bare")) return "bare"
    return names.length === 0 ? undefined : names.join("-")
  }

  /** @param {readonly string[]} sources */
  function reachedFrom(sources) {
    const files = new Set()
    const waiting = sources.map(source => {
      const path = paths.get(source)
      if (path === undefined) throw new Error(`${source} is no entry or lazy import of the command`)
      return path
    })
    for (const path of waiting) {
      if (files.has(path)) continue
      files.add(path)
      const { imports = [] } = outputs[path] ?? {}
      for (const each of imports) {
        if (each.kind === "import-statement" && !each.external) waiting.push(each.path)
      }
    }
    return files
  }
}

/**
 * @typedef {{ entryPoint?: string, imports: { path: string, kind: string, external?: boolean }[] }} Output
 */
