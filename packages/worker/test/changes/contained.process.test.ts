import { execFileSync } from "node:child_process"
import { existsSync, linkSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sandboxFor } from "@harness/sandbox"
import { afterEach, beforeEach, expect, test } from "vitest"
import { sha256Of } from "../../src/files/content.ts"
import { makePool, sandboxOptions, type TestPool } from "../support/pool.ts"

let folder: string
let pool: TestPool

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "harness-changes-"))
  const provider = sandboxFor("os", sandboxOptions(folder))
  pool = makePool({ sandbox: { provider, network: false } })
})

afterEach(async () => {
  await pool.dispose()
  rmSync(folder, { recursive: true, force: true })
})

const at = (path: string) => join(pool.folders.path, path)

test("control files of nested repositories are read-only to a contained command", async () => {
  pool.folders.put({
    "root/lib/.git/config": "[core]\n",
    "root/lib/.git/hooks/pre-commit": "#!/bin/sh\n",
    "root/lib/.vscode/tasks.json": "{}",
    "root/lib/a.txt": "one",
  })
  const shell =
    "cd lib; for file in .git/config .git/hooks/pre-commit .git/hooks/new .vscode/tasks.json a.txt; do echo 1 2>/dev/null > $file && echo $file; done"
  const end = await pool.run({ shell })
  expect(end.preview.split("\n").filter(line => !line.includes(":"))).toEqual(["a.txt", ""])
  expect(end.receipt.changes?.files.map(({ path }) => path)).toEqual(["lib/a.txt"])
  expect(end.receipt.containment).not.toHaveProperty("touched")
  expect(readFileSync(at("lib/.git/config"), "utf8")).toBe("[core]\n")
  expect(existsSync(at("lib/.git/hooks/new"))).toBe(false)
})

test("control files that a contained command makes are named in its receipt", async () => {
  const shell = "git init -q nested && echo 1 > .envrc && mkdir .idea && echo 1 > .idea/a.xml"
  const end = await pool.run({ shell, env: { GIT_CONFIG_NOSYSTEM: "1" } })
  expect(end.receipt.exit_code).toBe(0)
  expect(end.receipt.containment?.touched).toEqual([".envrc", ".idea/a.xml", "nested/.git/config"])
})

test("a file that lies outside too is named when a contained command changes it", async () => {
  pool.folders.put({ "outside/a": "one" })
  linkSync(join(pool.folders.outside, "a"), at("a"))
  const end = await pool.run({ shell: "echo two > a" })
  expect(end.receipt.containment?.hard_links).toEqual(["a"])
})

test("the content before a command is known of a repository's clean files, however many", async () => {
  const text = (file: number) => `${file}\n`.repeat(20_000)
  const names = Array.from({ length: 90 }, (_, file) => `f${file}.txt`)
  pool.folders.put(Object.fromEntries(names.map((name, file) => [`root/${name}`, text(file)])))
  const git = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
  for (const args of [
    ["init", "-q"],
    ["add", "."],
    [...git, "commit", "-qm", "1"],
    ["gc", "-q"],
  ]) {
    execFileSync("git", args, { cwd: at(".") })
  }
  await new Promise(resolve => setTimeout(resolve, 30))
  execFileSync("git", ["update-index", "--force-write-index"], { cwd: at(".") })

  const { receipt } = await pool.run({ shell: "rm f5.txt; for file in f*; do echo > $file; done" })
  expect(receipt.changes?.files).toHaveLength(90)
  expect(receipt.changes?.files.filter(({ before }) => before?.sha256 === null)).toEqual([])
  expect(receipt.changes?.files.find(({ path }) => path === "f5.txt")?.before?.sha256).toBe(
    sha256Of(Buffer.from(text(5))),
  )
})
