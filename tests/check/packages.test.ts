import { globSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { basename, dirname, join, relative } from "node:path"
import { describe, expect, test } from "vitest"
import * as z from "zod"
import { root } from "./tree.ts"

const Targets = z.record(z.string(), z.record(z.string(), z.string()))
const Manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  engines: z.object({ node: z.string() }),
  exports: Targets.optional(),
  publishConfig: z.object({ access: z.string(), exports: Targets.optional() }),
  dependencies: z.record(z.string(), z.string()).default({}),
  peerDependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
})
const References = z.object({
  references: z.array(z.object({ path: z.string() })).default([]),
})

const folders = globSync("{packages,plugins}/*/package.json", { cwd: root }).map(file =>
  dirname(file),
)
const rootManifest = JSON.parse(await readFile(join(root, "package.json"), "utf8"))

async function parsed<T>(schema: z.ZodType<T>, ...path: string[]): Promise<T> {
  return schema.parse(JSON.parse(await readFile(join(root, ...path), "utf8")))
}

test("the root's project references name every package", async () => {
  const { references } = await parsed(References, "tsconfig.json")

  expect(references.map(each => each.path).sort()).toEqual([...folders].sort())
})

test("every package has the same version", async () => {
  const manifests = await Promise.all(folders.map(each => parsed(Manifest, each, "package.json")))

  expect([...new Set(manifests.map(each => each.version))]).toHaveLength(1)
})

describe.for(folders)("%s", folder => {
  test("its manifest has the name of its folder, our licence and our Node", async () => {
    const { name, license, engines } = await parsed(Manifest, folder, "package.json")

    expect({ name, license, engines }).toEqual({
      name: `@harness/${basename(folder)}`,
      license: "Apache-2.0",
      engines: rootManifest.engines,
    })
  })

  test("what is published exports the same entries, without their sources", async () => {
    const { exports = {}, publishConfig } = await parsed(Manifest, folder, "package.json")

    const published = Object.entries(exports).map(([entry, target]) => {
      const { "@harness/source": source, ...rest } = target
      return [entry, rest]
    })
    expect(publishConfig.exports ?? {}).toEqual(Object.fromEntries(published))
  })

  test("its project references are the packages of ours that it depends on", async () => {
    const manifest = await parsed(Manifest, folder, "package.json")
    const { references } = await parsed(References, folder, "tsconfig.json")

    // The command line carries its packages: nobody who installs it needs them.
    const needed =
      folder === "packages/cli"
        ? manifest.devDependencies
        : { ...manifest.dependencies, ...manifest.peerDependencies }
    const own = Object.keys(needed)
      .filter(name => name.startsWith("@harness/"))
      .map(name => folders.find(each => `@harness/${basename(each)}` === name) ?? name)
    expect(references.map(each => each.path).sort()).toEqual(
      own.map(each => relative(folder, each)).sort(),
    )
  })
})
