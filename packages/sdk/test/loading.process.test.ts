import { execFile } from "node:child_process"
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { afterEach, beforeEach, expect, test } from "vitest"

// Node's own loader is the subject, so each case runs in a process without the test runner's.
const loader = fileURLToPath(new URL("fixtures/load.ts", import.meta.url))
const hostHooks = new URL("fixtures/host.mjs", import.meta.url).href
const hosted = {
  "@harness/sdk": new URL("../src/index.ts", import.meta.url).href,
  "@harness/protocol": new URL("../../protocol/src/index.ts", import.meta.url).href,
}

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "harness-loading-"))
})

afterEach(async () => {
  await rm(folder, { recursive: true })
})

test("a linked TypeScript checkout that cannot resolve the sdk shares the host's copy", async () => {
  await tree({
    "checkout/package.json": '{ "name": "notes", "version": "1.0.0", "type": "module" }',
    "checkout/src/index.ts": `
      import { defineKind } from "@harness/sdk"
      import { names } from "./names.ts"
      export const notes = defineKind({ name: names[0], description: "", actions: [] })
    `,
    "checkout/src/names.ts": `
      import { failure } from "@harness/protocol"
      export { defineKind } from "@harness/sdk"
      export { failure }
      export const names: readonly string[] = ["notes"]
    `,
  })
  await mkdir(join(folder, "home/node_modules"), { recursive: true })
  await symlink(join(folder, "checkout"), join(folder, "home/node_modules/notes"))

  expect(await load("home/node_modules/notes/src/index.ts", { linked: true })).toEqual({
    name: "notes",
    sharedSdk: true,
    sharedProtocol: true,
  })
})

test("a linked checkout reaches its own sibling packages as source", async () => {
  await tree({
    "node_modules/@harness/shelf/package.json": JSON.stringify({
      name: "@harness/shelf",
      type: "module",
      exports: { ".": { "@harness/source": "./index.js", default: "./missing.js" } },
    }),
    "node_modules/@harness/shelf/index.js": `export { defineKind } from "@harness/sdk"`,
    "checkout/index.ts": `
      import { defineKind } from "@harness/shelf"
      export const notes = defineKind({ name: "notes", description: "", actions: [] })
    `,
  })
  expect(await load("checkout/index.ts", { linked: true })).toMatchObject({ name: "notes" })
  expect(await load("checkout/index.ts", { linked: false })).toMatchObject({
    code: "package_broken",
  })
})

test("a module without the definition is broken, and says what it exports", async () => {
  await tree({
    "package.json": '{ "name": "notes-package", "version": "1.0.0", "type": "module" }',
    "index.js": `
      import { defineKind } from "@harness/sdk"
      export const notes = defineKind({ name: "other", description: "", actions: [] })
    `,
  })
  expect(await load("index.js", { linked: false })).toEqual({
    code: "package_broken",
    message:
      "The package notes-package cannot be loaded: it exports no kind named notes (exported: other).",
  })
})

test("a module that throws is broken with what it said", async () => {
  await tree({ "index.mjs": `throw new Error("the shelf is empty")` })
  expect(await load("index.mjs", { linked: false })).toEqual({
    code: "package_broken",
    message: "The package notes cannot be loaded: the shelf is empty.",
  })
})

test("a module that does not exist is broken with its path", async () => {
  expect(await load("missing.mjs", { linked: false })).toMatchObject({
    code: "package_broken",
    message: expect.stringContaining("missing.mjs"),
  })
})

async function load(path: string, { linked }: { linked: boolean }): Promise<unknown> {
  const source = { url: pathToFileURL(join(folder, path)).href, name: "notes", hosted, linked }
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--import",
    hostHooks,
    "--no-warnings",
    loader,
    JSON.stringify(source),
  ])
  return JSON.parse(stdout)
}

async function tree(files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}
