import { lstat, mkdir, readdir, readFile, realpath, rename, rm, symlink } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { expect, test } from "vitest"
import { temporaryFolder, thrownBy } from "../support/temporary.ts"
import {
  consentTo,
  installAgreed,
  notesManifest,
  notesModule,
  notesPackage,
  packageFolder,
  temporaryRegistry,
  writeFiles,
} from "./packages.ts"

const sourcePackage = notesPackage({
  exports: { ".": { "@harness/source": "./src/index.ts", default: "./dist/index.js" } },
})
const sourceFiles = { "src/index.ts": `const typed: string = "x"\nvoid typed\n${notesModule}` }

test("a checkout is linked in place and its TypeScript runs as it is", async () => {
  const folder = await packageFolder(sourcePackage, sourceFiles)
  const hosted = { "@harness/sdk": "file:///host/sdk.js" }
  const { home, registry } = await temporaryRegistry({ hosted })

  const inspection = await registry.inspect(folder, { link: true })
  expect(inspection).toEqual({
    name: "@acme/notes",
    version: "1.0.0",
    source: { type: "link", path: folder },
    manifest: notesManifest,
    integrity: null,
    installed: false,
  })

  const installed = {
    name: "@acme/notes",
    version: "1.0.0",
    source: { type: "link", path: folder },
    contributes: ["kind notes"],
    capabilities: ["files"],
    status: "ok",
  }
  const consent = consentTo(inspection)
  expect(await registry.install(folder, { link: true, consent })).toEqual({
    package: installed,
    changed: true,
  })
  expect(registry.list()).toEqual([installed])
  expect(registry.find("kind", "notes")).toEqual({
    package: "@acme/notes",
    version: "1.0.0",
    source: {
      url: pathToFileURL(join(folder, "src", "index.ts")).href,
      name: "notes",
      hosted,
      linked: true,
    },
  })
  expect((await registry.load("kind", "notes")).description).toBe("Notes.")

  const [slot = ""] = await readdir(join(home, "packages"))
  const link = join(home, "packages", slot, "node_modules", "@acme", "notes")
  expect((await lstat(link)).isSymbolicLink()).toBe(true)
  expect(await realpath(link)).toBe(folder)
})

test("linking again changes nothing and says so", async () => {
  const folder = await packageFolder(sourcePackage, sourceFiles)
  const { home, registry } = await temporaryRegistry()
  await installAgreed(registry, folder, true)
  const lock = await readFile(join(home, "harness.lock"), "utf8")

  expect((await registry.inspect(folder, { link: true })).installed).toBe(true)
  expect((await installAgreed(registry, folder, true)).changed).toBe(false)
  expect(await readFile(join(home, "harness.lock"), "utf8")).toBe(lock)
})

test("a home and a checkout beside it can move together", async () => {
  const root = await temporaryFolder()
  const before = join(root, "before")
  await writeFiles(join(before, "checkout"), {
    ...sourceFiles,
    "package.json": JSON.stringify(sourcePackage),
  })
  const { registry } = await temporaryRegistry({ home: join(before, "home") })
  await installAgreed(registry, join(before, "checkout"), true)

  await rename(before, join(root, "after"))

  const moved = await temporaryRegistry({ home: join(root, "after", "home") })
  expect(moved.registry.list()).toMatchObject([
    { status: "ok", source: { type: "link", path: join(root, "after", "checkout") } },
  ])
  expect(moved.registry.find("kind", "notes")?.source.url).toBe(
    pathToFileURL(join(root, "after", "checkout", "src", "index.ts")).href,
  )
})

test("a home that is reached by a link from elsewhere leads to the same checkout", async () => {
  const folder = await packageFolder(sourcePackage, sourceFiles)
  const root = await temporaryFolder()
  await mkdir(join(root, "deep", "down", "home"), { recursive: true })
  await symlink(join(root, "deep", "down", "home"), join(root, "home"))
  const { registry } = await temporaryRegistry({ home: join(root, "home") })

  await installAgreed(registry, folder, true)

  expect((await installAgreed(registry, folder, true)).changed).toBe(false)
  expect(registry.list()).toMatchObject([{ status: "ok", source: { path: folder } }])
})

test("a checkout that was removed is listed as broken, and its kind fails with the reason", async () => {
  const folder = await packageFolder(sourcePackage, sourceFiles)
  const { registry } = await temporaryRegistry()
  await installAgreed(registry, folder, true)

  await rm(folder, { recursive: true })

  const reason = `${folder} is gone`
  expect(registry.list()).toMatchObject([{ name: "@acme/notes", status: "broken", reason }])
  expect(registry.names("kind")).toEqual(["notes"])
  expect(await thrownBy(() => registry.load("kind", "notes"))).toMatchObject({
    code: "package_broken",
    details: { name: "@acme/notes", reason },
  })
  expect((await registry.uninstall("@acme/notes")).status).toBe("broken")
  expect(registry.list()).toEqual([])
})

test("a linked package that wants more than was agreed to is broken until it is installed again", async () => {
  const folder = await packageFolder(sourcePackage, sourceFiles)
  const { registry } = await temporaryRegistry()
  await installAgreed(registry, folder, true)

  const harness = { ...sourcePackage.harness, capabilities: ["files", "network"] }
  await writeFiles(folder, { "package.json": JSON.stringify({ ...sourcePackage, harness }) })

  expect(registry.list()).toMatchObject([
    {
      status: "broken",
      reason: "its manifest is not the one that was agreed to: install it again",
    },
  ])
  expect(await installAgreed(registry, folder, true)).toMatchObject({
    changed: true,
    package: { status: "ok", capabilities: ["files", "network"] },
  })
})

test("the version of a linked package is the one that the checkout has now", async () => {
  const folder = await packageFolder(sourcePackage, sourceFiles)
  const { registry } = await temporaryRegistry()
  await installAgreed(registry, folder, true)

  await writeFiles(folder, {
    "package.json": JSON.stringify({ ...sourcePackage, version: "1.1.0" }),
  })

  expect(registry.list()).toMatchObject([{ status: "ok", version: "1.1.0" }])
})

test("uninstalling a link leaves the checkout alone", async () => {
  const folder = await packageFolder(sourcePackage, sourceFiles)
  const { home, registry } = await temporaryRegistry()
  await installAgreed(registry, folder, true)

  await registry.uninstall("@acme/notes")

  expect(await readdir(folder)).toEqual(["package.json", "src"])
  expect(await readdir(join(home, "packages"))).toEqual([])
  expect(registry.find("kind", "notes")).toBeUndefined()
})

test("a short name is the checkout's own package when harness runs from one", async () => {
  const checkout = await temporaryFolder()
  const folder = join(checkout, "plugins", "notes")
  await mkdir(join(checkout, "packages", "notes"), { recursive: true })
  await writeFiles(folder, { ...sourceFiles, "package.json": JSON.stringify(sourcePackage) })
  const { registry } = await temporaryRegistry({ checkout })

  expect(await registry.inspect("notes", { link: true })).toMatchObject({
    name: "@acme/notes",
    source: { type: "link", path: folder },
  })
})

test("only a folder can be linked", async () => {
  const { registry } = await temporaryRegistry()

  expect(await thrownBy(() => registry.inspect("@acme/notes", { link: true }))).toMatchObject({
    code: "option_invalid",
    details: {
      option: "--link",
      value: "@acme/notes",
      reason: "@acme/notes is not a folder, and only a folder can be linked",
    },
  })
})
