import { createHash } from "node:crypto"
import { chmodSync, existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { actionNamed, openProject } from "../support/project.ts"

const sha256 = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex")

test("a new file is created with its folders", async () => {
  const project = await openProject()
  const result = await project.run("write_file", { path: "a/b/c.txt", text: "héllo\n" })
  expect(result).toEqual({
    path: "a/b/c.txt",
    sha256: sha256("héllo\n"),
    bytes: 7,
    created: true,
    before: null,
  })
  expect(project.bytes("a/b/c.txt").toString()).toBe("héllo\n")
})

test("without a hash an existing file is left alone", async () => {
  const project = await openProject({ "a.txt": "theirs" })
  expect(await project.run("write_file", { path: "a.txt", text: "mine" })).toEqual({
    error: "conflict",
    path: "a.txt",
    expected: null,
    found: sha256("theirs"),
    message:
      "a.txt exists already; nothing was changed. Read it first and pass its sha256 as expected.",
  })
  expect(project.bytes("a.txt").toString()).toBe("theirs")
})

test("with its hash a file is replaced and keeps its mode", async () => {
  const project = await openProject({ "run.sh": "old" })
  chmodSync(join(project.root, "run.sh"), 0o750)
  const input = { path: "run.sh", text: "new", expected: sha256("old") }
  expect(await project.run("write_file", input)).toEqual({
    path: "run.sh",
    sha256: sha256("new"),
    bytes: 3,
    created: false,
    before: sha256("old"),
  })
  expect(statSync(join(project.root, "run.sh")).mode & 0o777).toBe(0o750)
})

test("a file that changed since it was read is left alone and its hash told", async () => {
  const project = await openProject({ "a.txt": "theirs" })
  const input = { path: "a.txt", text: "mine", expected: sha256("before") }
  const result = await project.run("write_file", input)
  expect(result).toMatchObject({
    error: "conflict",
    expected: sha256("before"),
    found: sha256("theirs"),
    message: expect.stringContaining("it changed since it was read"),
  })
  expect(project.bytes("a.txt").toString()).toBe("theirs")
  expect(actionNamed("write_file").knows?.(input, result)).toEqual([])
})

test("a file that is gone is not created under its old hash", async () => {
  const project = await openProject()
  const input = { path: "a.txt", text: "mine", expected: sha256("before") }
  expect(await project.run("write_file", input)).toMatchObject({ error: "conflict", found: null })
  expect(existsSync(join(project.root, "a.txt"))).toBe(false)
})

test("of two writers with the same hash one meets a conflict", async () => {
  const project = await openProject({ "a.txt": "start" })
  const expected = sha256("start")
  const results = await Promise.all(
    ["first", "second"].map(text => project.run("write_file", { path: "a.txt", text, expected })),
  )
  const written = results.filter(result => result.error === undefined)
  expect(written.length).toBe(1)
  expect(sha256(project.bytes("a.txt"))).toBe(written[0]?.sha256)
})

test("half of a surrogate pair is refused, not replaced", async () => {
  const project = await openProject()
  const result = await project.run("write_file", { path: "a.txt", text: "a\uD83D" })
  expect(result).toMatchObject({ error: "invalid_text", path: "a.txt" })
  expect(existsSync(join(project.root, "a.txt"))).toBe(false)
})

test("a path outside of the project is refused", async () => {
  const project = await openProject()
  expect(await project.run("write_file", { path: "../a.txt", text: "" })).toMatchObject({
    error: "outside_root",
  })
})

test("a person is shown a unified diff, and the file's hash is what it stood on", async () => {
  const project = await openProject({ "a.txt": "one\ntwo\n" })
  const input = { path: "a.txt", text: "one\n2\n", expected: sha256("one\ntwo\n") }
  expect(await project.preview("write_file", input)).toEqual({
    preview: {
      format: "diff",
      text: "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n",
    },
    basis: { "a.txt": sha256("one\ntwo\n") },
  })
})

test("a new file is shown as added to nothing", async () => {
  const project = await openProject()
  expect(await project.preview("write_file", { path: "new.txt", text: "one\n" })).toEqual({
    preview: { format: "diff", text: "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,1 @@\n+one\n" },
    basis: { "new.txt": null },
  })
})

test("a file that is not text is shown as replaced as a whole", async () => {
  const project = await openProject({ "a.txt": Buffer.from("caf\xe9", "latin1") })
  const { preview } = await project.preview("write_file", { path: "a.txt", text: "café\n" })
  expect(preview).toEqual({
    format: "text",
    text: "a.txt (4 bytes, not UTF-8: it is in another encoding) is replaced as a whole by:\ncafé\n",
  })
})

test("a file that changed between preview and run is a conflict", async () => {
  const project = await openProject({ "a.txt": "old" })
  const input = { path: "a.txt", text: "mine", expected: sha256("old") }
  const { basis } = await project.preview("write_file", input)
  project.write("a.txt", "theirs")

  expect(await project.run("write_file", input, basis)).toMatchObject({
    error: "conflict",
    found: sha256("theirs"),
  })
  expect(project.bytes("a.txt").toString()).toBe("theirs")
})

test("a file that became the expected one only after it was shown is a conflict", async () => {
  const project = await openProject({ "a.txt": "other" })
  const input = { path: "a.txt", text: "mine", expected: sha256("expected") }
  const { basis } = await project.preview("write_file", input)
  project.write("a.txt", "expected")

  expect(await project.run("write_file", input, basis)).toMatchObject({
    error: "conflict",
    expected: sha256("other"),
    found: sha256("expected"),
  })
  expect(project.bytes("a.txt").toString()).toBe("expected")
})

test("a person is told what was written", () => {
  const summarise = actionNamed("write_file").summarise
  const input = { path: "cmd/list.go", text: "" }
  expect(summarise?.(input, { bytes: 120, created: false })).toBe(
    "write cmd/list.go · mode kept · 120 bytes",
  )
  expect(summarise?.(input, { bytes: 1, created: true })).toBe(
    "write cmd/list.go · created · 1 byte",
  )
  expect(summarise?.(input, { status: "denied", by: "user" })).toBe(
    "write cmd/list.go denied by user",
  )
})
