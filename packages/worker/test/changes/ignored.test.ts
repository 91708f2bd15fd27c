import { execFileSync } from "node:child_process"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { afterEach, beforeEach, expect, test } from "vitest"
import { ignoredFolders } from "../../src/changes/ignored.ts"
import { statOf } from "../../src/changes/snapshot.ts"
import { type Folders, makeFolders } from "../support/folders.ts"

let folders: Folders

beforeEach(() => {
  folders = makeFolders()
})

afterEach(() => {
  folders.dispose()
})

/** Folders that git says are ignored, of those that exist. */
function ignoredByGit(paths: readonly string[]): string[] {
  const result = execFileSync(
    "sh",
    [
      "-c",
      "git -c core.excludesFile=/dev/null -c core.quotePath=false check-ignore --stdin --no-index || true",
    ],
    { cwd: folders.path, input: paths.map(path => `${path}\n`).join(""), encoding: "utf8" },
  )
  return result.split("\n").filter(Boolean)
}

async function ignoredByUs(
  paths: readonly string[],
  tracked: readonly string[] = [],
): Promise<string[]> {
  const ignoring = ignoredFolders(folders.root, folder => tracked.includes(folder))
  for (const folder of ["", ...paths]) {
    await ignoring.enter(folder, statOf(join(folders.path, folder, ".gitignore")))
  }
  return paths.filter(path => isBelowIgnored(path) || ignoring.ignores(path))

  /** What lies in an ignored folder is never asked for. */
  function isBelowIgnored(path: string): boolean {
    const parts = path.split("/")
    return parts.some((_, at) => at > 0 && ignoring.ignores(parts.slice(0, at).join("/")))
  }
}

const tree = ["a", "a/b", "a/b/a", "a/bc", "a/x.y", "b", "b/a", "b/b", "[c]", "x.y", "x.y/b", "éé"]

test("folders are ignored as git ignores them, for any lines", async () => {
  execFileSync("git", ["init", "--quiet", folders.path])
  for (const path of tree) mkdirSync(join(folders.path, path), { recursive: true })
  const piece = fc.constantFrom("a", "b", "bc", "*", "?", "**", "x.y", "*.y", "[ab]", "[!a]", "éé")
  const end = fc.constantFrom("", "/", " ", "/**")
  const line = fc
    .tuple(
      fc.constantFrom("", "", "!", "/", "\\"),
      fc.array(piece, { minLength: 1, maxLength: 3 }),
      end,
    )
    .map(([start, pieces, last]) => start + pieces.join("/") + last)
  const file = fc.array(line, { maxLength: 4 }).map(lines => `# comment\n${lines.join("\n")}\n`)

  await fc.assert(
    fc.asyncProperty(file, file, async (rules, nested) => {
      folders.put({ "root/.gitignore": rules, "root/a/.gitignore": nested })
      expect(await ignoredByUs(tree)).toEqual(ignoredByGit(tree))
    }),
    { numRuns: 60 },
  )
}, 60_000)

test("a folder with tracked files is not ignored, and changed rules hold at once", async () => {
  folders.put({ "root/.gitignore": "build\nlogs\n", "root/build/a": "", "root/logs/b": "" })
  expect(await ignoredByUs(["build", "logs"], ["build"])).toEqual(["logs"])

  const ignoring = ignoredFolders(folders.root, () => false)
  const rules = () => statOf(join(folders.path, ".gitignore"))
  await ignoring.enter("", rules())
  expect(ignoring.ignores("build")).toBe(true)
  folders.put({ "root/.gitignore": "logs\n" })
  await ignoring.enter("", rules())
  expect(ignoring.ignores("build")).toBe(false)
})

test("a line with very many stars is left out rather than tried for ever", async () => {
  folders.put({ [`root/${"a".repeat(200)}/b`]: "", "root/.gitignore": `${"a*".repeat(50)}b\n` })
  expect(await ignoredByUs(["a".repeat(200)])).toEqual([])
})
