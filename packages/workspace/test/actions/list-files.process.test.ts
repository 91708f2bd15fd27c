import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { actionNamed, openProject } from "../support/project.ts"

const tree = {
  ".gitignore": "node_modules/\n*.log\n",
  ".git/config": "",
  ".github/ci.yml": "",
  "README.md": "",
  "node_modules/x/index.js": "",
  "src/a.ts": "",
  "src/deep/b.ts": "",
  "src/debug.log": "",
  "src/c.js": "",
}

test("files are listed in order, without what git ignores and without .git", async () => {
  const project = await openProject(tree)
  expect(await project.run("list_files", {})).toEqual({
    files: [".github/ci.yml", ".gitignore", "README.md", "src/a.ts", "src/c.js", "src/deep/b.ts"],
    truncated: false,
  })
})

test.each([
  ["*.ts", ["src/a.ts", "src/deep/b.ts"]],
  ["src/*.{ts,js}", ["src/a.ts", "src/c.js"]],
  ["*.log", []],
  ["node_modules/**", []],
  ["*.yml", [".github/ci.yml"]],
])("the pattern %s picks files and brings back none that are ignored", async (pattern, files) => {
  const project = await openProject(tree)
  expect(await project.run("list_files", { pattern })).toEqual({ files, truncated: false })
})

test("files below a folder are named from the root", async () => {
  const project = await openProject(tree)
  expect(await project.run("list_files", { path: "src/deep" })).toEqual({
    files: ["src/deep/b.ts"],
    truncated: false,
  })
})

test("a list that is cut says so", async () => {
  const project = await openProject(tree)
  const result = await project.run("list_files", { limit: 2 })
  expect(result).toEqual({ files: [".github/ci.yml", ".gitignore"], truncated: true })
  expect(actionNamed("list_files").summarise?.({ limit: 2 }, result)).toBe(
    "list . · 2 files · truncated",
  )
})

test("names with spaces, line breaks and a leading dash are listed as they are", async () => {
  const names = ["-n", "a b", "line\nbreak", "é"]
  const project = await openProject(Object.fromEntries(names.map(name => [name, ""])))
  expect(await project.run("list_files", {})).toEqual({ files: names, truncated: false })
})

test("links are not followed, and a folder that leads out is refused", async () => {
  const project = await openProject({ "a.txt": "" })
  symlinkSync("/etc", join(project.root, "out"))
  expect(await project.run("list_files", {})).toEqual({ files: ["a.txt"], truncated: false })
  expect(await project.run("list_files", { path: "out" })).toMatchObject({ error: "outside_root" })
})

test("an empty folder has no files; a file is no folder; a missing folder is named", async () => {
  const project = await openProject({ "a.txt": "", "empty/.gitkeep": "" })
  expect(await project.run("list_files", { path: "empty", pattern: "*.ts" })).toEqual({
    files: [],
    truncated: false,
  })
  expect(await project.run("list_files", { path: "a.txt" })).toMatchObject({
    error: "not_a_folder",
  })
  expect(await project.run("list_files", { path: "emty" })).toMatchObject({
    error: "not_found",
    near: ["empty"],
  })
})

test("a pattern that cannot be read is named", async () => {
  const project = await openProject()
  expect(await project.run("list_files", { pattern: "[z-a]" })).toMatchObject({
    error: "invalid_pattern",
    message: expect.stringContaining("[z-a]"),
  })
})
