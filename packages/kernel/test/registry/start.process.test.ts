import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { installAgreed, packageFolder, temporaryRegistry } from "./packages.ts"

const registrySource = new URL("../../src/registry/registry.ts", import.meta.url).href
const configSource = new URL("../../src/config/load.ts", import.meta.url).href

/** What every start does before the first step, with the name of each module that it loads. */
const start = `
  import { registerHooks } from "node:module"
  const loaded = []
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
  const { createRegistry } = await import(${JSON.stringify(registrySource)})
  const { loadConfig } = await import(${JSON.stringify(configSource)})

  const home = process.argv[1]
  await loadConfig({ home, env: {} })
  const registry = createRegistry({ home, builtins: [], hosted: {}, env: {} })
  const states = registry.list().map(({ status }) => status)
  const found = registry.find("kind", "notes") !== undefined
  process.stdout.write(JSON.stringify({ states, found, loaded }))
`

test("looking a package up loads nothing that installs, fetches or parses config.jsonc", async () => {
  const { home, registry } = await temporaryRegistry()
  await installAgreed(registry, await packageFolder(), true)

  const flags = ["--conditions=@harness/source", "--input-type=module"]
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, "-e", start, home])
  const { states, found, loaded } = JSON.parse(stdout)

  expect({ states, found }).toEqual({ states: ["ok"], found: true })
  expect(outsiders(loaded)).toEqual(["resolve.exports", "zod"])
  expect(
    loaded.filter((url: string) => /registry\/(?:npm|install|inspect)\.ts$/.test(url)),
  ).toEqual([])
})

/** The packages from node_modules among the modules. */
function outsiders(urls: readonly string[]): string[] {
  const names = urls.flatMap(url => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? [])
  return [...new Set(names)].sort()
}
