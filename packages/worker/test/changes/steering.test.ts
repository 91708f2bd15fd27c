import { linkSync, mkdirSync, rmSync, unlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type ChangeScans, changeScans, type ScanEnd } from "../../src/changes/scans.ts"
import { type Folders, makeFolders } from "../support/folders.ts"

let folders: Folders
let scans: ChangeScans

beforeEach(() => {
  folders = makeFolders()
  scans = changeScans({ root: folders.root, skip: [], isSecret: () => false })
})

afterEach(() => {
  folders.dispose()
})

const at = (path: string) => join(folders.path, path)

/** What a scan around `work` says. */
async function around(work: () => unknown): Promise<ScanEnd> {
  const scan = await scans.before("p1")
  await work()
  return await scan.after(folders.evidence)
}

test("control files and those that are reported are named, in nested repositories too", async () => {
  folders.put({
    "root/.git/config": "[core]\n",
    "root/.git/hooks/pre-commit": "",
    "root/lib/.git/config": "",
    "root/lib/package.json": "{}",
    "root/AGENTS.md": "",
  })
  const end = await around(() => {
    writeFileSync(at(".git/config"), "[core]\n\tfsmonitor = evil\n")
    unlinkSync(at(".git/hooks/pre-commit"))
    folders.put({
      "root/.git/index.lock": "",
      "root/.git/hooks/x.sample": "",
      "root/.vscode/tasks.json": "{}",
      "root/new/.git/config": "",
      "root/new/.git/objects/aa/bb": "",
      "root/sub/.git": "gitdir: ../elsewhere\n",
      "root/lib/package.json": '{"a":1}',
      "root/other.json": "",
    })
    rmSync(at("AGENTS.md"))
  })
  expect(end.touched).toEqual(
    [
      "AGENTS.md",
      ".vscode/tasks.json",
      "lib/package.json",
      "sub/.git",
      ".git/config",
      ".git/hooks/pre-commit",
      "new/.git/config",
    ].sort(),
  )
  expect(end.changes?.files.map(({ path }) => path)).toEqual([
    ".vscode/tasks.json",
    "AGENTS.md",
    "lib/package.json",
    "other.json",
    "sub/.git",
  ])
})

test("a scan names the control files deeper in the root, each once", async () => {
  folders.put({
    "root/.git/hooks/a": "",
    "root/.idea/a": "",
    "root/lib/.git/hooks/a": "",
    "root/lib/.git/config": "",
    "root/lib/.git/HEAD": "",
    "root/lib/.idea/deep/a": "",
    "root/lib/.vscode/tasks.json": "",
    "root/lib/.vscode/other.json": "",
    "root/lib/.envrc": "",
  })
  mkdirSync(at("other/.git/hooks"), { recursive: true })
  const scan = await scans.before("p1")
  scan.abandon()
  expect(scan.controlled).toEqual(
    [
      "lib/.envrc",
      "lib/.git/config",
      "lib/.git/hooks",
      "lib/.idea",
      "lib/.vscode/tasks.json",
      "other/.git/hooks",
    ].map(at),
  )
})

test("a changed file with a name outside the root is named, one with both names inside is not", async () => {
  folders.put({ "outside/a": "one", "root/b": "one" })
  linkSync(join(folders.outside, "a"), at("a"))
  linkSync(at("b"), at("c"))
  const end = await around(() => {
    writeFileSync(at("a"), "two")
    writeFileSync(at("b"), "two")
  })
  expect(end.hard_links).toEqual(["a"])
  expect(end.changes?.files.map(({ path }) => path)).toEqual(["a", "b", "c"])
})
