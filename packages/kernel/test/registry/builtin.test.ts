import { expect, test } from "vitest"
import { thrownBy } from "../support/temporary.ts"
import {
  installAgreed,
  notesManifest,
  notesPackage,
  packageFolder,
  temporaryRegistry,
} from "./packages.ts"

const builtin = {
  name: "@harness/notes",
  version: "0.1.0",
  manifest: { ...notesManifest, contributes: { ...contributes() }, capabilities: [] },
  modules: { ".": "file:///host/notes/index.js" },
}

function contributes() {
  return {
    ...notesManifest.contributes,
    kinds: [{ name: "notes", module: "." }],
    providers: [],
    programs: [],
    policies: [],
  }
}

test("a builtin package is there without being installed", async () => {
  const hosted = { "@harness/sdk": "file:///host/sdk.js" }
  const { registry } = await temporaryRegistry({ builtins: [builtin], hosted })

  expect(registry.list()).toEqual([
    {
      name: "@harness/notes",
      version: "0.1.0",
      source: { type: "builtin" },
      contributes: ["kind notes"],
      capabilities: [],
      status: "ok",
    },
  ])
  expect(registry.names("kind")).toEqual(["notes"])
  expect(registry.find("kind", "notes")).toEqual({
    package: "@harness/notes",
    version: "0.1.0",
    source: { url: "file:///host/notes/index.js", name: "notes", hosted, linked: false },
  })
})

test("builtin TypeScript runs as that of a linked checkout does", async () => {
  const modules = { ".": "file:///checkout/src/index.ts" }
  const { registry } = await temporaryRegistry({ builtins: [{ ...builtin, modules }] })

  expect(registry.find("kind", "notes")?.source.linked).toBe(true)
})

test("a package of the same name takes the builtin one's place until it is uninstalled", async () => {
  const folder = await packageFolder(notesPackage({ name: "@harness/notes", version: "0.2.0" }))
  const { registry } = await temporaryRegistry({ builtins: [builtin] })

  await installAgreed(registry, folder, true)
  expect(registry.list()).toMatchObject([{ version: "0.2.0", source: { type: "link" } }])
  expect(registry.find("kind", "notes")?.version).toBe("0.2.0")

  await registry.uninstall("@harness/notes")
  expect(registry.find("kind", "notes")?.version).toBe("0.1.0")
})

test("a builtin package cannot be uninstalled, and another one cannot bring the same", async () => {
  const { registry } = await temporaryRegistry({ builtins: [builtin] })

  expect(await thrownBy(() => registry.uninstall("notes"))).toMatchObject({
    code: "package_builtin",
    details: { name: "@harness/notes" },
  })
  const folder = await packageFolder()
  expect(await thrownBy(() => installAgreed(registry, folder, true))).toMatchObject({
    code: "package_conflict",
    details: {
      what: "the kind notes",
      other: "@harness/notes",
      hint: "@harness/notes comes with harness; only a package of that name takes its place.",
    },
  })
})

test("what nobody brings is missed by its own failure", async () => {
  const { registry } = await temporaryRegistry()
  const withNotes = await temporaryRegistry({ builtins: [builtin] })
  const codes = await Promise.all(
    [
      () => registry.load("kind", "notes"),
      () => withNotes.registry.load("kind", "browser"),
      () => registry.load("provider", "acme"),
      () => registry.load("programs", "cobol"),
      () => registry.load("policy", "strict"),
    ].map(thrownBy),
  )

  expect(codes).toMatchObject([
    { code: "kind_not_installed" },
    { code: "kind_unknown", details: { kind: "browser", known: "notes" } },
    { code: "model_unknown", details: { model: "acme", known: "none" } },
    { code: "program_runtime_missing", details: { language: "cobol", known: "none" } },
    { code: "package_not_installed", details: { name: "The policy strict" } },
  ])
})
