import { createHash } from "node:crypto"
import { expect, test } from "vitest"
import { notTexts, texts } from "../support/corpus.ts"
import { actionNamed, openProject } from "../support/project.ts"

const sha256 = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex")

test("a small file comes whole, with the hash to write it by", async () => {
  const project = await openProject({ "a.txt": "one\ntwo\n" })
  expect(await project.run("read_file", { path: "./a.txt" })).toEqual({
    path: "a.txt",
    text: "one\ntwo\n",
    bytes: 8,
    offset: 0,
    next_offset: null,
    truncated: false,
    size: 8,
    sha256: sha256("one\ntwo\n"),
  })
})

test("an empty file is an empty text", async () => {
  const project = await openProject({ empty: "" })
  expect(await project.run("read_file", { path: "empty" })).toMatchObject({
    text: "",
    bytes: 0,
    next_offset: null,
    truncated: false,
  })
})

test.each(texts)("a file of $name is read in windows that join to the whole", async ({ text }) => {
  const project = await openProject({ "a.txt": text })
  const windows: unknown[] = []
  let offset: unknown = 0
  while (typeof offset === "number") {
    const window = await project.run("read_file", { path: "a.txt", offset, limit: 50_000 })
    windows.push(window.text)
    offset = window.next_offset
  }
  expect(windows.join("")).toBe(text)
})

test("a window ends between two characters and says where the next one begins", async () => {
  const project = await openProject({ "a.txt": "ab😀cd" })
  expect(await project.run("read_file", { path: "a.txt", limit: 4 })).toMatchObject({
    text: "ab",
    bytes: 2,
    next_offset: 2,
    truncated: true,
    size: 8,
    sha256: sha256("ab😀cd"),
  })
  expect(await project.run("read_file", { path: "a.txt", offset: 2, limit: 1 })).toMatchObject({
    text: "😀",
    next_offset: 6,
  })
})

test("lines are found by number", async () => {
  const project = await openProject({ "a.txt": "one\ntwo\nthree\nfour\n" })
  expect(await project.run("read_file", { path: "a.txt", line: 2, lines: 2 })).toEqual({
    path: "a.txt",
    text: "two\nthree\n",
    bytes: 10,
    offset: 4,
    next_offset: 14,
    truncated: true,
    size: 19,
    sha256: sha256("one\ntwo\nthree\nfour\n"),
    first_line: 2,
    last_line: 3,
    total_lines: 4,
  })
})

test("a line after the last one is named with how many there are", async () => {
  const project = await openProject({ "a.txt": "one\n" })
  expect(await project.run("read_file", { path: "a.txt", line: 3 })).toEqual({
    error: "no_such_line",
    path: "a.txt",
    line: 3,
    total_lines: 1,
    message: "a.txt has 1 line: there is no line 3. Read from a line up to 1.",
  })
})

test.each(notTexts)("a file of $name is refused as $error", async ({ bytes, error }) => {
  const project = await openProject({ file: bytes })
  const result = await project.run("read_file", { path: "file" })
  expect(result).toEqual({
    error,
    path: "file",
    size: bytes.length,
    sha256: sha256(bytes),
    message: expect.stringMatching(/^file is not UTF-8 text: it .+ Look at it with a command/),
  })
  expect(actionNamed("read_file").knows?.({ path: "file" }, result)).toEqual([])
})

test("a missing file is named, with names like it", async () => {
  const project = await openProject({ "src/parser.ts": "", "src/index.ts": "" })
  const result = await project.run("read_file", { path: "src/parsr.ts" })
  expect(result).toEqual({
    error: "not_found",
    path: "src/parsr.ts",
    message: "src/parsr.ts does not exist. Near it: src/parser.ts.",
    near: ["src/parser.ts"],
  })
})

test("a missing file without any like it says how to find others", async () => {
  const project = await openProject()
  expect(await project.run("read_file", { path: "nothing/here" })).toEqual({
    error: "not_found",
    path: "nothing/here",
    message: "nothing/here does not exist. List its folder to see what is there.",
  })
})

test.each(["..", "../other", "/etc/passwd"])("%s is outside of the project", async path => {
  const project = await openProject()
  expect(await project.run("read_file", { path })).toMatchObject({ error: "outside_root", path })
})

test("a folder is not read as a file", async () => {
  const project = await openProject({ "src/a.ts": "" })
  expect(await project.run("read_file", { path: "src" })).toMatchObject({ error: "not_a_file" })
})

test("a window makes the file known by its hash, a missing file as absent", () => {
  const { knows } = actionNamed("read_file")
  const known = { path: "real.txt", sha256: "0".repeat(64) }
  expect(knows?.({ path: "./link.txt" }, known)).toEqual([
    { path: "link.txt", sha256: known.sha256 },
    { path: "real.txt", sha256: known.sha256 },
  ])
  expect(knows?.({ path: "a//b.txt" }, { error: "not_found" })).toEqual([
    { path: "a/b.txt", sha256: null },
  ])
  expect(knows?.({ path: "output:1" }, { path: "output:1", sha256: "0" })).toEqual([])
})

test("a person is told how much was read", () => {
  const summarise = actionNamed("read_file").summarise
  const input = { path: "cmd/list.go" }
  expect(summarise?.(input, { bytes: 12_000, size: 30_112 })).toBe(
    "read cmd/list.go 12,000 of 30,112 bytes",
  )
  expect(summarise?.(input, { bytes: 120, size: 120 })).toBe("read cmd/list.go 120 bytes")
  expect(summarise?.(input, { error: "not_found" })).toBe("read cmd/list.go error not_found")
})

test("a limit beyond the configured one is refused as data, and the configured one is the default", async () => {
  const project = await openProject({ "a.txt": "x".repeat(100_000) })
  expect(await project.run("read_file", { path: "a.txt", limit: 64_001 })).toEqual({
    error: "invalid_limit",
    limit: 64_001,
    message:
      "The limit 64001 is not usable; nothing was read. Ask for at most 64000 bytes and read on from next_offset.",
  })
  expect(await project.run("read_file", { path: "a.txt" })).toMatchObject({ bytes: 12_000 })
})
