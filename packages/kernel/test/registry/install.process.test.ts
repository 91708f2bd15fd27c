import { access, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
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
  packed,
  temporaryRegistry,
  writeFiles,
} from "./packages.ts"

test("a tarball is inspected without landing, and installed with its content recorded", async () => {
  const tarball = await packed(await packageFolder())
  const { home, registry } = await temporaryRegistry()

  const inspection = await registry.inspect(tarball, { link: false })
  expect(inspection).toEqual({
    name: "@acme/notes",
    version: "1.0.0",
    source: { type: "tarball", path: tarball },
    manifest: notesManifest,
    integrity: expect.stringMatching(/^sha512-/),
    installed: false,
  })
  expect(await exists(home)).toBe(false)

  const consent = consentTo(inspection)
  expect(await registry.install(tarball, { link: false, consent })).toEqual({
    changed: true,
    package: {
      name: "@acme/notes",
      version: "1.0.0",
      source: { type: "tarball", path: tarball },
      contributes: ["kind notes"],
      capabilities: ["files"],
      status: "ok",
    },
  })

  const [slot = ""] = await readdir(join(home, "packages"))
  const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/)
  expect(JSON.parse(await readFile(join(home, "harness.lock"), "utf8"))).toEqual({
    version: 1,
    packages: {
      "@acme/notes": {
        version: "1.0.0",
        source: { type: "tarball", path: expect.stringMatching(/^\.\.\//) },
        slot,
        integrity: inspection.integrity,
        content: sha256,
        entries: { "dist/index.js": sha256, "package.json": sha256 },
        manifest: notesManifest,
        consent: { capabilities: ["files"] },
      },
    },
  })
  expect((await readdir(join(home, "packages", slot))).sort()).toEqual([
    "node_modules",
    "package-lock.json",
    "package.json",
  ])
  expect((await stat(home)).mode & 0o777).toBe(0o700)
  expect((await stat(join(home, "harness.lock"))).mode & 0o777).toBe(0o600)

  const module = join(home, "packages", slot, "node_modules", "@acme", "notes", "dist", "index.js")
  expect(registry.find("kind", "notes")?.source).toEqual({
    url: pathToFileURL(module).href,
    name: "notes",
    hosted: {},
    linked: false,
  })
  expect((await registry.load("kind", "notes")).description).toBe("Notes.")
})

test("installing the same again changes nothing, and a damaged copy is replaced", async () => {
  const tarball = await packed(await packageFolder())
  const { home, registry } = await temporaryRegistry()
  await installAgreed(registry, tarball)

  expect((await registry.inspect(tarball, { link: false })).installed).toBe(true)
  expect((await installAgreed(registry, tarball)).changed).toBe(false)

  const [slot = ""] = await readdir(join(home, "packages"))
  const folder = join(home, "packages", slot, "node_modules", "@acme", "notes")
  await writeFile(join(folder, "dist", "index.js"), "export const evil = 1")
  const reason = "its dist/index.js changed since it was installed"
  expect(registry.list()).toMatchObject([{ status: "broken", reason }])
  expect(await thrownBy(() => registry.find("kind", "notes"))).toMatchObject({
    code: "package_broken",
    details: { name: "@acme/notes", reason },
  })

  expect((await registry.inspect(tarball, { link: false })).installed).toBe(false)
  expect(await installAgreed(registry, tarball)).toMatchObject({
    changed: true,
    package: { status: "ok" },
  })

  const [next = ""] = await readdir(join(home, "packages"))
  await rm(join(home, "packages", next), { recursive: true })
  expect(registry.list()).toMatchObject([{ status: "broken", reason: "its files are gone" }])
})

test("a folder is copied as it would be packed, and its scripts do not run", async () => {
  const scripts = { prepare: "touch ran", prepack: "touch ran", postinstall: "touch ran" }
  const folder = await packageFolder(notesPackage({ files: ["dist"], scripts }), {
    "dist/index.js": notesModule,
    "secret.txt": "not in the files",
  })
  const { home, registry } = await temporaryRegistry()

  expect(await installAgreed(registry, folder)).toMatchObject({
    changed: true,
    package: { source: { type: "folder", path: folder }, status: "ok" },
  })
  expect((await installAgreed(registry, folder)).changed).toBe(false)

  const [slot = ""] = await readdir(join(home, "packages"))
  const copy = join(home, "packages", slot, "node_modules", "@acme", "notes")
  expect((await readdir(copy)).sort()).toEqual(["dist", "package.json"])
  expect((await readdir(folder)).sort()).toEqual(["dist", "package.json", "secret.txt"])

  await writeFile(join(folder, "dist", "index.js"), `${notesModule}// changed`)
  expect((await registry.inspect(folder, { link: false })).installed).toBe(false)
  expect((await installAgreed(registry, folder)).changed).toBe(true)
})

test("what the host shares is not fetched, neither as a dependency nor as a peer", async () => {
  const tarball = await packed(
    await packageFolder(
      notesPackage({
        dependencies: { "@harness/sdk": "^9.0.0" },
        peerDependencies: { "@harness/protocol": "*" },
      }),
    ),
  )
  const hosted = {
    "@harness/sdk": "file:///host/sdk.js",
    "@harness/sdk/testing": "file:///host/testing.js",
    "@harness/protocol": "file:///host/protocol.js",
  }
  const { registry } = await temporaryRegistry({ hosted })

  expect(await installAgreed(registry, tarball)).toMatchObject({ package: { status: "ok" } })
})

test("a dependency that cannot be had leaves everything as it was", async () => {
  const { home, registry } = await temporaryRegistry()
  await installAgreed(registry, await packed(await packageFolder()))
  const before = await readFile(join(home, "harness.lock"), "utf8")
  const slots = await readdir(join(home, "packages"))

  const dependencies = { "@acme/missing": "1.0.0" }
  const next = await packed(await packageFolder(notesPackage({ version: "2.0.0", dependencies })))
  const error = await thrownBy(() => installAgreed(registry, next))

  expect(error).toMatchObject({ code: "install_failed", details: { name: next } })
  expect(await readFile(join(home, "harness.lock"), "utf8")).toBe(before)
  expect(await readdir(join(home, "packages"))).toEqual(slots)
  expect(registry.list()).toMatchObject([{ version: "1.0.0", status: "ok" }])
})

test("another version takes the place of the installed one, whatever its source was", async () => {
  const folder = await packageFolder(notesPackage({ version: "2.0.0" }))
  const { home, registry } = await temporaryRegistry()
  await installAgreed(registry, await packed(await packageFolder()))

  await installAgreed(registry, folder, true)

  expect(registry.list()).toMatchObject([
    { version: "2.0.0", source: { type: "link", path: folder }, status: "ok" },
  ])
  expect(await readdir(join(home, "packages"))).toHaveLength(1)
})

test("what is not what was agreed to is not installed", async () => {
  const tarball = await packed(await packageFolder())
  const { home, registry } = await temporaryRegistry()
  const consent = { name: "@acme/notes", version: "0.9.0", capabilities: [] }

  const error = await thrownBy(() => registry.install(tarball, { link: false, consent }))

  expect(error).toMatchObject({
    code: "consent_outdated",
    exit: 2,
    details: {
      name: "@acme/notes",
      agreed: "@acme/notes@0.9.0",
      found: "@acme/notes@1.0.0 (files)",
    },
  })
  expect(await exists(home)).toBe(false)
})

test("a second owner of a kind is refused, and the first one named", async () => {
  const { registry } = await temporaryRegistry()
  await installAgreed(registry, await packageFolder(), true)
  const other = await packageFolder(notesPackage({ name: "other-notes" }))

  const error = await thrownBy(() => installAgreed(registry, other, true))

  expect(error).toMatchObject({
    code: "package_conflict",
    exit: 2,
    details: {
      name: "other-notes",
      what: "the kind notes",
      other: "@acme/notes",
      hint: "Uninstall @acme/notes first: harness uninstall @acme/notes.",
    },
  })
  expect(registry.list()).toHaveLength(1)
})

test("uninstalling removes the files, and what is not installed is said so", async () => {
  const harnessNotes = notesPackage({ name: "@harness/notes" })
  const { home, registry } = await temporaryRegistry()
  await installAgreed(registry, await packed(await packageFolder(harnessNotes)))

  expect(await registry.uninstall("notes")).toMatchObject({ name: "@harness/notes", status: "ok" })

  expect(await readdir(join(home, "packages"))).toEqual([])
  expect(await thrownBy(() => registry.uninstall("notes"))).toMatchObject({
    code: "package_not_installed",
    details: { name: "notes" },
  })
})

test("what stands in the way within the home is named", async () => {
  const home = await temporaryFolder()
  await writeFile(join(home, "packages"), "")
  const { registry } = await temporaryRegistry({ home })
  const folder = await packageFolder()

  expect(await thrownBy(() => installAgreed(registry, folder, true))).toMatchObject({
    code: "home_unusable",
    details: { home, reason: "packages: it is not a folder" },
  })
})

test("a home in a file's place is said so before anything is written", async () => {
  const folder = await packageFolder()
  const home = join(await temporaryFolder(), "file")
  await writeFile(home, "")
  const { registry } = await temporaryRegistry({ home })

  expect(await thrownBy(() => installAgreed(registry, folder, true))).toMatchObject({
    code: "home_unusable",
    details: { home },
  })
  expect(await readFile(home, "utf8")).toBe("")
})

test("files that npm would not run are hashed with those of the dependencies", async () => {
  const nested = { "node_modules/dep/index.js": "export const dep = 1" }
  const packageJson = notesPackage({
    dependencies: { dep: "1.0.0" },
    bundleDependencies: ["dep"],
  })
  const folder = await packageFolder(packageJson, { "dist/index.js": notesModule, ...nested })
  await writeFiles(folder, {
    "node_modules/dep/package.json": JSON.stringify({ name: "dep", version: "1.0.0" }),
  })
  const { home, registry } = await temporaryRegistry()
  await installAgreed(registry, await packed(folder))
  const before = JSON.parse(await readFile(join(home, "harness.lock"), "utf8"))

  await writeFiles(folder, { "node_modules/dep/index.js": "export const dep = 2" })
  await installAgreed(registry, await packed(folder))
  const after = JSON.parse(await readFile(join(home, "harness.lock"), "utf8"))

  const contents = [before, after].map(lock => lock.packages["@acme/notes"].content)
  expect(contents[0]).not.toBe(contents[1])
})

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
