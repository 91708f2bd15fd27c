import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import {
  consentTo,
  installAgreed,
  notesModule,
  notesPackage,
  offlineEnvironment,
  packageFolder,
  packed,
  temporaryRegistry,
} from "./packages.ts"

const source = new URL("../../src/registry/registry.ts", import.meta.url).href

type Moment = {
  name: string
  /** The call that ends the process: a method of node:fs or of its promises, and its first argument. */
  call: { promises: boolean; method: string; path: string; nth?: number }
  /** Killed before the call, or when it has done its work. */
  when: "before" | "after"
  /** The version that is installed then. */
  version: string
}

const moments: Moment[] = [
  {
    name: "its slot was created",
    call: { promises: true, method: "mkdtemp", path: "@2.0.0-" },
    when: "after",
    version: "1.0.0",
  },
  {
    name: "its files are being unpacked",
    call: { promises: false, method: "open", path: "dist/[0-9]+[.]js$", nth: 20 },
    when: "before",
    version: "1.0.0",
  },
  {
    name: "all its files are there",
    call: { promises: true, method: "rm", path: "package[.]tgz$" },
    when: "after",
    version: "1.0.0",
  },
  {
    name: "the next harness.lock is half written",
    call: { promises: true, method: "open", path: "harness[.]lock[.]new$" },
    when: "after",
    version: "1.0.0",
  },
  {
    name: "the next harness.lock waits for its place",
    call: { promises: true, method: "rename", path: "harness[.]lock[.]new$" },
    when: "before",
    version: "1.0.0",
  },
  {
    name: "harness.lock was replaced",
    call: { promises: true, method: "rename", path: "harness[.]lock[.]new$" },
    when: "after",
    version: "2.0.0",
  },
]

const install = `
  import fs from "node:fs"
  import { syncBuiltinESMExports } from "node:module"
  const { home, spec, consent, env, call, when } = JSON.parse(process.argv[1])

  const calls = call.promises ? fs.promises : fs
  const real = calls[call.method]
  let left = call.nth ?? 1
  const die = () => process.kill(process.pid, "SIGKILL")
  calls[call.method] = function (first, ...rest) {
    const hit = new RegExp(call.path).test(String(first)) && --left === 0
    if (hit && when === "before") die()
    const result = real.call(this, first, ...rest)
    return hit ? result.finally(die) : result
  }
  syncBuiltinESMExports()

  const { createRegistry } = await import(${JSON.stringify(source)})
  const registry = createRegistry({ home, builtins: [], hosted: {}, env })
  await registry.install(spec, { link: false, consent })
`

test("an installation killed at any moment leaves the old or the new state, and the next one works", async () => {
  const many = Array.from({ length: 40 }, (_, index) => [`dist/${index}.js`, notesModule])
  const next = await packed(
    await packageFolder(notesPackage({ version: "2.0.0" }), {
      "dist/index.js": notesModule,
      ...Object.fromEntries(many),
    }),
  )
  const first = await packed(await packageFolder())

  await Promise.all(moments.map(moment => killAt(moment, first, next)))
})

async function killAt({ name, call, when, version }: Moment, first: string, next: string) {
  const { home, registry } = await temporaryRegistry()
  await installAgreed(registry, first)
  const consent = consentTo(await registry.inspect(next, { link: false }))

  const task = { home, spec: next, consent, env: await offlineEnvironment(), call, when }
  const flags = ["--conditions=@harness/source", "--input-type=module"]
  const child = spawn(process.execPath, [...flags, "-e", install, JSON.stringify(task)])
  const [, signal] = await once(child, "exit")
  expect({ name, signal }).toEqual({ name, signal: "SIGKILL" })

  expect({ name, packages: registry.list() }).toMatchObject({
    name,
    packages: [{ name: "@acme/notes", version, status: "ok" }],
  })
  expect((await registry.load("kind", "notes")).description).toBe("Notes.")

  expect((await installAgreed(registry, next)).package).toMatchObject({
    version: "2.0.0",
    status: "ok",
  })
  await registry.uninstall("@acme/notes")
  expect(await readdir(join(home, "packages"))).toEqual([])
  expect((await readdir(home)).sort()).toEqual(["harness.lock", "packages"])
}
