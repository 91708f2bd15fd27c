import { createHash } from "node:crypto"
import { chmodSync, statSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { notTexts, texts } from "../support/corpus.ts"
import { actionNamed, openProject } from "../support/project.ts"

const sha256 = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex")

test("the corpus has 60 files of many encodings and endings, each of its own", () => {
  const contents = [
    ...texts.map(({ text }) => Buffer.from(text)),
    ...notTexts.map(each => each.bytes),
  ]
  expect(contents.length).toBeGreaterThanOrEqual(60)
  expect(new Set(contents.map(sha256)).size).toBe(contents.length)
})

test.each(texts)("in a file of $name exactly the named bytes change", async given => {
  const { text, oldText, newText } = given
  const project = await openProject({ file: text })
  chmodSync(join(project.root, "file"), 0o640)
  const before = Buffer.from(text)
  const at = before.indexOf(oldText)
  const after = Buffer.concat([
    before.subarray(0, at),
    Buffer.from(newText),
    before.subarray(at + Buffer.byteLength(oldText)),
  ])

  const input = { path: "file", old_text: oldText, new_text: newText }
  expect(await project.run("edit_file", input)).toEqual({
    path: "file",
    sha256: sha256(after),
    replaced: 1,
    first_line: before.subarray(0, at).toString().split("\n").length,
  })
  expect(project.bytes("file").equals(after)).toBe(true)
  expect(statSync(join(project.root, "file")).mode & 0o7777).toBe(0o640)
})

test.each(notTexts)("a file of $name is refused and not changed", async ({ bytes, error }) => {
  const project = await openProject({ file: bytes })
  expect(await project.run("edit_file", { path: "file", old_text: "h", new_text: "H" })).toEqual({
    error,
    path: "file",
    message: expect.stringContaining("nothing was changed"),
  })
  expect(project.bytes("file").equals(bytes)).toBe(true)
})

test("the mode of an edited file stays", async () => {
  const project = await openProject({ "run.sh": "echo a\n" })
  chmodSync(join(project.root, "run.sh"), 0o755)
  await project.run("edit_file", { path: "run.sh", old_text: "a", new_text: "b" })
  expect(statSync(join(project.root, "run.sh")).mode & 0o777).toBe(0o755)
})

test("text that is there twice is refused with its lines", async () => {
  const project = await openProject({ "a.txt": "x = 1\ny = 2\nx = 1\n" })
  const result = await project.run("edit_file", { path: "a.txt", old_text: "x = 1", new_text: "" })
  expect(result).toEqual({
    error: "ambiguous_match",
    path: "a.txt",
    found: 2,
    lines: [1, 3],
    message:
      "old_text is at 2 places in a.txt; nothing was changed. Give more of the lines around it, or replace_all.",
  })
  expect(
    actionNamed("edit_file").summarise?.({ path: "a.txt", old_text: "x", new_text: "" }, result),
  ).toBe("edit a.txt error ambiguous_match · old_text found 2 times")
})

test("all places are replaced when that is asked for", async () => {
  const project = await openProject({ "a.txt": "x\ny\nx\n" })
  const input = { path: "a.txt", old_text: "x", new_text: "z", replace_all: true }
  const result = await project.run("edit_file", input)
  expect(result).toMatchObject({ replaced: 2, first_line: 1, sha256: sha256("z\ny\nz\n") })
  expect(actionNamed("edit_file").summarise?.(input, result)).toBe(
    "edit a.txt · 2 replacements from line 1",
  )
})

test("text that is not there is answered with the nearest lines", async () => {
  const project = await openProject({ "a.ts": "const limit = 10\nconst other = 2\n" })
  const input = { path: "a.ts", old_text: "const limit = 12", new_text: "" }
  expect(await project.run("edit_file", input)).toEqual({
    error: "no_match",
    path: "a.ts",
    nearest: [{ line: 1, text: "const limit = 10" }],
    message:
      "old_text is not in a.ts; nothing was changed. The nearest lines are in nearest. Read the file and copy the text exactly.",
  })
})

test("an edit that would change nothing but line endings says no_change", async () => {
  const project = await openProject({ "a.txt": "one\r\ntwo\r\n" })
  const input = { path: "a.txt", old_text: "one\ntwo", new_text: "one\r\ntwo" }
  expect(await project.run("edit_file", input)).toMatchObject({ error: "no_change" })
  expect(project.bytes("a.txt").toString()).toBe("one\r\ntwo\r\n")
})

test("a file that changed since it was read is a conflict", async () => {
  const project = await openProject({ "a.txt": "theirs" })
  const input = { path: "a.txt", old_text: "theirs", new_text: "mine", expected: sha256("old") }
  expect(await project.run("edit_file", input)).toMatchObject({
    error: "conflict",
    expected: sha256("old"),
    found: sha256("theirs"),
  })
  expect(project.bytes("a.txt").toString()).toBe("theirs")
})

test("a person is shown the diff of an edit, and a change after that is a conflict", async () => {
  const project = await openProject({ "a.txt": "one\r\ntwo" })
  const input = { path: "a.txt", old_text: "two", new_text: "2" }
  const shown = await project.preview("edit_file", input)
  expect(shown).toEqual({
    preview: {
      format: "diff",
      text: "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\r\n-two\n\\ No newline at end of file\n+2\n\\ No newline at end of file\n",
    },
    basis: { "a.txt": sha256("one\r\ntwo") },
  })

  project.write("a.txt", "one\r\ntwo\r\nthree")
  expect(await project.run("edit_file", input, shown.basis)).toMatchObject({
    error: "conflict",
    expected: sha256("one\r\ntwo"),
    found: sha256("one\r\ntwo\r\nthree"),
  })
})

test("an edit that cannot be made is shown as such", async () => {
  const project = await openProject({ "a.txt": "one" })
  const { preview } = await project.preview("edit_file", {
    path: "a.txt",
    old_text: "two",
    new_text: "2",
  })
  expect(preview).toEqual({
    format: "text",
    text: "edit a.txt will change nothing: old_text is not in a.txt; nothing was changed. No line is like it. Read the file and copy the text exactly.",
  })
})

test("a missing file is named with those like it", async () => {
  const project = await openProject({ "main.ts": "" })
  const input = { path: "mian.ts", old_text: "a", new_text: "b" }
  expect(await project.run("edit_file", input)).toMatchObject({
    error: "not_found",
    near: ["main.ts"],
  })
})
