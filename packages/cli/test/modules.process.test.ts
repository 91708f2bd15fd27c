import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, onTestFinished, test } from "vitest"
import { temporaryFolder } from "../../../tests/support/temporary-folder.ts"
import { job } from "./support/job.ts"
import { linkedHome } from "./support/linked-home.ts"

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))
const recorder = new URL("./support/record-modules.mjs", import.meta.url).href

/** The packages of others, and the parts of ours, that a command loads: `zod`, `cli/src/main.ts`. */
async function loadedBy(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const folder = await temporaryFolder({ modules: "" })
  onTestFinished(() => folder.remove())

  const flags = ["--conditions=@harness/source", "--import", recorder]
  await promisify(execFile)(process.execPath, [...flags, main, ...args], {
    env: {
      PATH: process.env.PATH,
      HARNESS_HOME: folder.at("home"),
      RECORD_MODULES_TO: folder.at("modules"),
      ...env,
    },
  })

  const urls = (await folder.text("modules")).trim().split("\n")
  return {
    others: distinct(
      urls.flatMap(
        url => url.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/)?.[1] ?? [],
      ),
    ),
    own: distinct(
      urls.flatMap(url => url.match(/(?:packages|plugins)\/([^/]+)\/src\//)?.[1] ?? []),
    ),
    keys: distinct(urls.flatMap(url => url.match(/kernel\/src\/keys\/(.+)\.ts/)?.[1] ?? [])),
  }
}

const distinct = (names: string[]) => [...new Set(names)].sort()

test.for(["--version", "--help"])("%s loads no package at all", async option => {
  expect(await loadedBy([option])).toEqual({ others: [], own: ["cli"], keys: [] })
})

test.for([
  ["run", "--help"],
  ["help", "install"],
])("%j loads commander alone", async args => {
  expect(await loadedBy(args)).toEqual({ others: ["commander"], own: ["cli"], keys: [] })
})

test.for([["list"], ["config", "show"]])(
  "%j loads no interpreter, provider, installer or terminal",
  async args => {
    const { others, own } = await loadedBy(args)
    expect([...own, ...others].filter(name => !light.includes(name))).toEqual([])
  },
)

/** The command, the kernel and what it stands on; of the worker only how it is started. */
const light = [
  ...["cli", "kernel", "protocol", "sdk", "worker"],
  ...["commander", "jsonc-parser", "resolve.exports", "zod"],
]

test("a run in tools style loads its provider, and neither an interpreter nor an installer", async () => {
  const home = await linkedHome()
  onTestFinished(() => home.remove())
  const { project, server } = await job(home.path, { script: [{ text: "Done." }] })

  const { others, own, keys } = await loadedBy(
    ["run", "Do it.", "--style", "tools", "--sandbox", "off", "--folder", project.path],
    {
      HARNESS_HOME: home.path,
      HARNESS_MODEL: "openai-compatible/scripted",
      OPENAI_BASE_URL: server.baseUrl,
      OPENAI_API_KEY: "not-a-key",
    },
  )
  expect(own).toContain("provider-openai-compatible")
  expect(own).not.toContain("programs-python")
  expect(others.filter(name => heavy.includes(name))).toEqual([])
  // What finds a stored key; neither the keychain nor what stores one.
  expect(keys).toEqual(["file-store", "keys-file", "provider-key"])
})

const heavy = [
  "@napi-rs/keyring",
  "@npmcli/arborist",
  "@vscode/ripgrep",
  "ink",
  "npm-package-arg",
  "pacote",
  "pyodide",
]
