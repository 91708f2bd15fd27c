import { access, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { temporaryFolder, thrownBy } from "../support/temporary.ts"
import { notesModule, notesPackage, packageFolder, temporaryRegistry } from "./packages.ts"

const manifest = notesPackage().harness

describe("a folder that is not a harness package is refused with the reason", () => {
  test.each([
    [
      "no harness key",
      notesPackage({ harness: undefined }),
      'its package.json has no "harness" key',
    ],
    [
      "no version",
      notesPackage({ version: undefined }),
      "version: Invalid input: expected string, received undefined",
    ],
    ["a name that is a path", notesPackage({ name: "../../etc" }), "name: is not a package name"],
    [
      "another api",
      notesPackage({ harness: { ...manifest, api: 2 } }),
      "harness.api: Invalid input: expected 1",
    ],
    [
      "an unknown key",
      notesPackage({ harness: { ...manifest, kinds: [] } }),
      "harness.kinds is not a known key",
    ],
    [
      "an unknown capability",
      notesPackage({ harness: { ...manifest, capabilities: ["files", "root"] } }),
      'harness.capabilities[1]: Invalid option: expected one of "files"|"processes"|"network"|"screen"|"input"',
    ],
    [
      "a bad name",
      notesPackage({ harness: { api: 1, contributes: { kinds: [{ name: "No" }] } } }),
      "harness.contributes.kinds[0].name: must be lower-case letters, digits, - or _",
    ],
    [
      "a kind twice",
      notesPackage({ harness: { api: 1, contributes: { kinds: [{ name: "a" }, { name: "a" }] } } }),
      "it brings kind a twice",
    ],
    [
      "a module that is not exported",
      notesPackage({ harness: { api: 1, contributes: { kinds: [{ name: "a", module: "./a" }] } } }),
      'its module "./a" is not among its exports',
    ],
    [
      "a module that is missing",
      notesPackage({ exports: "./lib.js" }),
      'its module "." leads to ./lib.js, which does not exist: build the package first',
    ],
    [
      "a module outside",
      notesPackage({ exports: "./../lib.js" }),
      'its module "." leads out of the package, to ./../lib.js',
    ],
  ])("%s", async (_name, packageJson, reason) => {
    const folder = await packageFolder(packageJson)
    const { home, registry } = await temporaryRegistry()

    for (const link of [true, false]) {
      expect(await thrownBy(() => registry.inspect(folder, { link }))).toMatchObject({
        code: "package_invalid",
        exit: 2,
        details: { source: folder, reason },
      })
    }
    expect(await exists(home)).toBe(false)
  })
})

test("a package.json that is not JSON, or is not there, is said so", async () => {
  const folder = await packageFolder()
  const empty = await temporaryFolder()
  await writeFile(join(folder, "package.json"), "{")
  const { registry } = await temporaryRegistry()

  expect(await thrownBy(() => registry.inspect(folder, { link: true }))).toMatchObject({
    code: "package_invalid",
    details: { reason: expect.stringMatching(/^its package.json cannot be read: .*JSON/) },
  })
  expect(await thrownBy(() => registry.inspect(empty, { link: true }))).toMatchObject({
    code: "package_invalid",
    details: { reason: "its package.json cannot be read: it does not exist" },
  })
})

test("a checkout that is not built is not copied: Node would refuse its TypeScript", async () => {
  const exports = { ".": { "@harness/source": "./src/index.ts", default: "./dist/index.js" } }
  const unbuilt = await packageFolder(notesPackage({ exports }), { "src/index.ts": notesModule })
  const typescript = await packageFolder(notesPackage({ exports: "./src/index.ts" }), {
    "src/index.ts": notesModule,
  })
  const { registry } = await temporaryRegistry()

  expect(await thrownBy(() => registry.inspect(unbuilt, { link: false }))).toMatchObject({
    code: "package_invalid",
    details: {
      reason:
        'its module "." leads to ./dist/index.js, which does not exist: build the package first',
    },
  })
  expect(await thrownBy(() => registry.inspect(typescript, { link: false }))).toMatchObject({
    code: "package_invalid",
    details: {
      reason:
        'its module "." leads to ./src/index.ts, which Node runs only in place: build it, or use --link',
    },
  })
})

test("a dependency that only the checkout can resolve is named", async () => {
  const folder = await packageFolder(
    notesPackage({ dependencies: { "@harness/sdk": "workspace:*" } }),
  )
  const { registry } = await temporaryRegistry()

  expect(await thrownBy(() => registry.inspect(folder, { link: false }))).toMatchObject({
    code: "package_invalid",
    details: {
      reason:
        'dependencies."@harness/sdk" is "workspace:*", which only its checkout can resolve: use --link',
    },
  })
})

describe("what does not exist, or is of no use, is not found", () => {
  test.each([
    ["./no/such/folder", "there is no such folder or file"],
    ["no-such.tgz", "there is no such folder or file"],
    [
      "npm:git+https://example.invalid/x.git",
      "it is neither a package of a registry, nor a folder, nor a tarball",
    ],
    ["npm:a@npm:b@1", "it is neither a package of a registry, nor a folder, nor a tarball"],
    ["npm:No Such", expect.stringMatching(/^Invalid tag name/)],
  ])("%s", async (spec, reason) => {
    const { registry } = await temporaryRegistry()

    expect(await thrownBy(() => registry.inspect(spec, { link: false }))).toMatchObject({
      code: "package_not_found",
      exit: 2,
      details: { source: spec, reason },
    })
  })
})

test("a file that is no tarball is told apart from a tarball that is none of a package", async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, "notes.txt"), "x")
  await writeFile(join(folder, "notes.tgz"), "not a tarball")
  const { registry } = await temporaryRegistry()

  expect(
    await thrownBy(() => registry.inspect(join(folder, "notes.txt"), { link: false })),
  ).toMatchObject({
    code: "package_not_found",
    details: { reason: "it is neither a folder nor a tarball (.tgz)" },
  })
  expect(
    await thrownBy(() => registry.inspect(join(folder, "notes.tgz"), { link: false })),
  ).toMatchObject({
    code: "package_invalid",
    details: { reason: expect.stringMatching(/^it is not a tarball of a package: /) },
  })
})

test("a registry that cannot be reached is said so, with what to do", async () => {
  const { registry } = await temporaryRegistry()

  expect(await thrownBy(() => registry.inspect("notes", { link: false }))).toMatchObject({
    code: "install_failed",
    exit: 1,
    details: {
      name: "notes",
      reason: expect.stringMatching(/@harness%2fnotes.* ECONNREFUSED/),
      hint: "Check the network and the proxy settings, then repeat.",
    },
  })
})

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
