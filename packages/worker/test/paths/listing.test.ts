import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import fc from "fast-check"
import { afterEach, beforeEach, expect, test } from "vitest"
import { projectPaths } from "../../src/paths/listing.ts"
import { bestOf, rankedPath } from "../../src/paths/rank.ts"
import { type Folders, makeFolders } from "../support/folders.ts"

let folders: Folders

beforeEach(() => {
  folders = makeFolders()
})

afterEach(() => {
  folders.dispose()
})

function put(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folders.path, path)), { recursive: true })
    writeFileSync(join(folders.path, path), text)
  }
}

const git = (...args: string[]) =>
  execFileSync("git", args, { cwd: folders.path, encoding: "utf8" })

test("lists what git lists: tracked files, also ignored ones, and new files that nothing ignores", async () => {
  put({
    ".gitignore": "*.log\nbuild/\nkept/\n",
    "kept/tracked.txt": "",
    "tracked.log": "",
    "src/a.ts": "",
  })
  git("init", "-q")
  git("add", "-f", "kept/tracked.txt", "tracked.log", "src/a.ts")
  put({ "new.ts": "", "new.log": "", "build/out.js": "", "node_modules/x/index.js": "" })
  const listed = git(
    "ls-files",
    "--cached",
    "--others",
    "--exclude-standard",
    "--exclude",
    "node_modules",
  )

  const paths = projectPaths({ root: folders.root, skip: [] })
  expect((await paths.find("", 100)).toSorted()).toEqual(listed.trim().split("\n").toSorted())
})

test("looks once for what is typed in a moment", async () => {
  put({ "a.ts": "" })
  const paths = projectPaths({ root: folders.root, skip: [] })
  expect(await paths.find("a", 10)).toEqual(["a.ts"])
  put({ "ab.ts": "" })
  expect(await paths.find("ab", 10)).toEqual([])
})

test("the name counts before the path, a beginning before a middle, and the shorter first", () => {
  const paths = ["docs/opening.md", "open/x.ts", "src/open.ts", "src/reopen.ts", "o/p/e/n.ts"]
  expect(bestOf(paths.map(rankedPath), "OPEN", 10)).toEqual([
    "src/open.ts",
    "docs/opening.md",
    "src/reopen.ts",
    "open/x.ts",
    "o/p/e/n.ts",
  ])
})

test("only paths that hold the letters in their order are found, and all of them", () => {
  const path = fc.string({ unit: fc.constantFrom("a", "B", "/", "é"), minLength: 1, maxLength: 8 })
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "É"), maxLength: 4 })
  fc.assert(
    fc.property(fc.uniqueArray(path), letters, (paths, wanted) => {
      const holds = (each: string) => {
        const rest = [...wanted.toLowerCase()]
        for (const letter of each.toLowerCase()) if (letter === rest[0]) rest.shift()
        return rest.length === 0
      }
      const found = bestOf(paths.map(rankedPath), wanted, paths.length + 1)
      expect(found.toSorted()).toEqual(paths.filter(holds).toSorted())
    }),
  )
})
