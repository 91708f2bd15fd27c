import { createHash } from "node:crypto"
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import type { JsonObject } from "@harness/sdk"
import { expect, test } from "vitest"
import { guidance } from "../../src/guidance.ts"
import { openProject } from "../support/project.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

const SECRET = "TOKEN=5c9e1f\n"

const write = { path: ".env", text: "TOKEN=new\n", expected: sha256(SECRET) }
const edit = { path: ".env", old_text: "5c9e1f", new_text: "new" }

const calls: [string, JsonObject][] = [
  ["read_file", { path: ".env" }],
  ["read_file", { path: ".env", line: 1 }],
  ["write_file", { path: ".env", text: "x" }],
  ["write_file", write],
  ["edit_file", edit],
  ["read_file", { path: "link" }],
  ["edit_file", { ...edit, path: "link" }],
]

test.each(calls)(
  "without the permit %s of %j tells nothing, the hash neither",
  async (name, input) => {
    const project = await openProject({ ".env": SECRET })
    symlinkSync(".env", join(project.root, "link"))
    const result = await project.run(name, input)
    expect(result).toMatchObject({ error: "secret_file", path: input.path })
    expect(JSON.stringify(result)).not.toMatch(new RegExp(`5c9e1f|${sha256(SECRET)}`))
    expect(project.bytes(".env").toString()).toBe(SECRET)
  },
)

test.each([
  ["write_file", write],
  ["edit_file", edit],
])("without the permit the preview of %s shows nothing of the file", async (name, input) => {
  const project = await openProject({ ".env": SECRET })
  const { preview, basis } = await project.preview(name, { ...input, old_text: "TOKEN" })
  expect(preview.text).toContain(".env is a secret file.")
  expect(preview.text).not.toContain("5c9e1f")
  expect(JSON.stringify(basis)).not.toContain(sha256(SECRET))
})

test.each([
  ["write_file", write],
  ["edit_file", edit],
])("with the permit %s shows its diff, and does what was shown", async (name, input) => {
  const project = await openProject({ ".env": SECRET })
  const permitted = project.withPermits("secret_file")
  const { preview, basis } = await permitted.preview(name, input)
  expect(preview).toEqual({
    format: "diff",
    text: "--- a/.env\n+++ b/.env\n@@ -1,1 +1,1 @@\n-TOKEN=5c9e1f\n+TOKEN=new\n",
  })
  expect(await permitted.run(name, input, basis)).toMatchObject({ sha256: sha256("TOKEN=new\n") })
  expect(project.bytes(".env").toString()).toBe("TOKEN=new\n")
})

test("a new secret file needs the permit too, and one that only looks like it does not", async () => {
  const project = await openProject()
  const text = "TOKEN=\n"
  expect(await project.run("write_file", { path: "app/.env.local", text })).toMatchObject({
    error: "secret_file",
  })
  expect(await project.run("write_file", { path: ".env.example", text })).toMatchObject({
    created: true,
  })
  const permitted = project.withPermits("secret_file")
  expect(await permitted.run("write_file", { path: "app/.env.local", text })).toMatchObject({
    created: true,
  })
})

test("guidance that is a link to a secret file is not told", async () => {
  const project = await openProject({ ".env": SECRET })
  symlinkSync(".env", join(project.root, "AGENTS.md"))
  expect(await guidance(project.host)).toBe(null)
})
