import { expect, test } from "vitest"
import { actionNamed, openProject } from "../support/project.ts"

test("lines that match come with file and number, in order", async () => {
  const project = await openProject({
    "b.ts": "let x\nconst Limit = 1\n",
    "a.ts": "const limit = 2\r\n",
    ".gitignore": "gen/\n",
    "gen/a.ts": "const limit = 3\n",
  })
  expect(await project.run("search_files", { pattern: "lim.t" })).toEqual({
    matches: [{ path: "a.ts", line: 1, text: "const limit = 2" }],
    truncated: false,
  })
  const result = await project.run("search_files", { pattern: "limit", ignore_case: true })
  expect(result).toEqual({
    matches: [
      { path: "a.ts", line: 1, text: "const limit = 2" },
      { path: "b.ts", line: 2, text: "const Limit = 1" },
    ],
    truncated: false,
  })
  expect(actionNamed("search_files").summarise?.({ pattern: "limit" }, result)).toBe(
    "search limit · 2 matches",
  )
})

test("fixed text is not read as a pattern, and may begin with a dash", async () => {
  const project = await openProject({ "a.txt": "a.b\naxb\n--flag\n" })
  expect(await project.run("search_files", { pattern: "a.b", fixed: true })).toEqual({
    matches: [{ path: "a.txt", line: 1, text: "a.b" }],
    truncated: false,
  })
  expect(await project.run("search_files", { pattern: "--flag" })).toMatchObject({
    matches: [{ line: 3 }],
  })
})

test("lines around a match come with it", async () => {
  const project = await openProject({ "a.txt": "1\n2\nhit\n4\nhit\n6\n7\n" })
  expect(await project.run("search_files", { pattern: "hit", context: 1 })).toEqual({
    matches: [
      { path: "a.txt", line: 3, text: "hit", before: ["2"], after: ["4"] },
      { path: "a.txt", line: 5, text: "hit", before: ["4"], after: ["6"] },
    ],
    truncated: false,
  })
})

test.each([
  ["*.ts", ["a.ts", "src/a.ts"]],
  ["src/**", ["src/a.ts", "src/b.js"]],
  ["*.log", []],
])("the glob %s picks the files that are searched", async (glob, paths) => {
  const files = ["a.ts", "src/a.ts", "src/b.js", "c.log"]
  const project = await openProject({
    ...Object.fromEntries(files.map(name => [name, "hit\n"])),
    ".gitignore": "*.log\n",
  })
  expect(await project.run("search_files", { pattern: "hit", glob })).toEqual({
    matches: paths.map(path => ({ path, line: 1, text: "hit" })),
    truncated: false,
  })
})

test("one file can be searched", async () => {
  const project = await openProject({ "a.txt": "hit\n", "b.txt": "hit\n" })
  expect(await project.run("search_files", { pattern: "hit", path: "b.txt" })).toEqual({
    matches: [{ path: "b.txt", line: 1, text: "hit" }],
    truncated: false,
  })
})

test("nothing found is an empty list", async () => {
  const project = await openProject({ "a.txt": "one\n" })
  expect(await project.run("search_files", { pattern: "two" })).toEqual({
    matches: [],
    truncated: false,
  })
})

test("more matches than the limit are cut, and it says so", async () => {
  const project = await openProject({ "a.txt": "hit\n".repeat(10) })
  const result = await project.run("search_files", { pattern: "hit", limit: 3 })
  expect(result).toMatchObject({ truncated: true })
  expect(result.matches).toHaveLength(3)
})

test("of a very long line the part around the match is shown", async () => {
  const line = `${"a".repeat(100_000)}hit${"b".repeat(100_000)}`
  const project = await openProject({ "min.js": line })
  const { matches } = await project.run("search_files", { pattern: "hit" })
  expect(matches).toEqual([
    { path: "min.js", line: 1, text: `…${"a".repeat(80)}hit${"b".repeat(315)}…` },
  ])
})

test("a broken pattern is told with the reason", async () => {
  const project = await openProject({ "a.txt": "a\n" })
  expect(await project.run("search_files", { pattern: "a(" })).toEqual({
    error: "invalid_pattern",
    message: expect.stringMatching(/^ripgrep cannot use the pattern\..*unclosed group/s),
  })
})

test("lines that are not UTF-8 are shown as well as they can be", async () => {
  const project = await openProject({ "a.txt": Buffer.from("caf\xe9 hit\n", "latin1") })
  expect(await project.run("search_files", { pattern: "hit" })).toMatchObject({
    matches: [{ path: "a.txt", line: 1, text: "caf\uFFFD hit" }],
  })
})
