import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { JsonObject } from "@harness/sdk"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { CANARY, makeOutside, snapshotOf } from "../support/outside.ts"
import { openProject, type TestProject } from "../support/project.ts"
import { makeSpecial } from "../support/special.ts"
import { anyPath, knownPaths } from "./paths.ts"

/** The same paths in each run. */
const generated = [...new Set(fc.sample(anyPath, { numRuns: 1_000, seed: 20_261_130 }))].slice(
  0,
  500,
)

const canaryHash = createHash("sha256").update(`${CANARY} secret\n`).digest("hex")

async function openAdversarialProject() {
  const project = await openProject({
    "a/file": "inside\n",
    "sub/deep/file": "inside\n",
    "in/file": "inside\n",
    file: "inside\n",
    ".env": "inside=1\n",
    ".git/config": "inside\n",
  })
  const base = dirname(project.root)
  const outside = join(base, "outside")
  for (const folder of [outside, join(base, "root-twin")]) makeOutside(folder)
  await makeSpecial(project.root)

  const links: [string, string][] = [
    ["out", outside],
    ["sub/up", ".."],
    ["a/in", "../in"],
    ["chain", "chain0"],
    ["chain0", "sub/../chain1"],
    ["chain1", "a/../../outside"],
    ["dangling", join(outside, "nothing")],
    ["loop", "loop"],
    ["slash", "/"],
    ["link-to-file", "../outside/secret"],
    ["secret-link", "../outside/.env"],
    ["proc-link", "/proc/self"],
    ["fd-link", "/proc/self/fd"],
    ["../alias", project.root],
  ]
  for (const [place, target] of links) symlinkSync(target, join(project.root, place))

  const named = { root: project.root, outside, alias: join(base, "alias") }
  const expand = (path: string) =>
    path.replace(/\{(root|outside|alias)\}/g, (_, name: keyof typeof named) => named[name])
  return { project, base, outside, expand }
}

/** Every action on files, with whatever could make it go further than it should. */
async function tryAll({ run }: Pick<TestProject, "run">, path: string): Promise<JsonObject[]> {
  return [
    await run("read_file", { path }),
    await run("read_file", { path, lines: 5 }),
    await run("write_file", { path, text: "new" }),
    await run("write_file", { path, text: "new", expected: canaryHash }),
    await run("edit_file", { path, old_text: CANARY, new_text: "new" }),
    await run("edit_file", { path, old_text: "inside", new_text: "inside", replace_all: true }),
    ...(await Promise.all([
      run("list_files", { path }),
      run("search_files", { path, pattern: "canary" }),
    ])),
  ]
}

test("of 500 generated paths and those that somebody would try, none leaves the root", async () => {
  const { project, base, outside, expand } = await openAdversarialProject()
  const below = new RegExp(`^${RegExp.escape(project.root)}/`)
  const around = readdirSync(base).sort()
  const before = [snapshotOf(outside), snapshotOf(join(base, "root-twin"))]
  const permitted = project.withPermits("control_file", "secret_file")

  for (const [index, path] of [...knownPaths, ...generated].map(expand).entries()) {
    const results = await tryAll(index % 2 === 0 ? permitted : project, path)
    expect(JSON.stringify(results), JSON.stringify(path)).not.toContain(CANARY)
    const listed = results.flatMap(({ files }) => (Array.isArray(files) ? files.map(String) : []))
    for (const file of listed) {
      expect(realpathSync(join(project.root, file)), JSON.stringify(path)).toMatch(below)
    }
  }

  expect([snapshotOf(outside), snapshotOf(join(base, "root-twin"))]).toEqual(before)
  expect(readdirSync(base).sort()).toEqual(around)
}, 300_000)

test("the paths are what they are meant to be: some lead to files, and most of the tricks are in them", async () => {
  expect(generated).toHaveLength(500)
  for (const part of ["..", "\0", "out", "chain", "{outside}", "\ud800", "/proc/self"]) {
    expect(
      generated.some(path => path.includes(part)),
      part,
    ).toBe(true)
  }

  const { project, expand } = await openAdversarialProject()
  const ends = new Set<string>()
  for (const path of [...knownPaths, ...generated].map(expand)) {
    const { error = "read" } = await project.run("read_file", { path })
    ends.add(`${error}`)
  }
  const expected = [
    "read",
    "outside_root",
    "not_found",
    "not_a_file",
    "invalid_path",
    "secret_file",
  ]
  for (const end of expected) expect(ends).toContain(end)
})

test("without the permit a control file stays as it is under whatever name", async () => {
  const { project, expand } = await openAdversarialProject()
  mkdirSync(join(project.root, ".git/hooks"))
  writeFileSync(join(project.root, ".git/hooks/pre-commit"), "inside\n")
  const before = snapshotOf(join(project.root, ".git"))
  for (const path of knownPaths.map(expand)) await tryAll(project, path)
  expect(snapshotOf(join(project.root, ".git"))).toEqual(before)
})

test("a path that is given as a glob picks what is inside, or nothing", async () => {
  const { project, expand } = await openAdversarialProject()
  for (const glob of knownPaths.map(expand)) {
    const [listed, found] = await Promise.all([
      project.run("list_files", { pattern: glob }),
      project.run("search_files", { glob, pattern: "inside|canary" }),
    ])
    expect(JSON.stringify([listed, found]), glob).not.toContain(CANARY)
    expect(listed.files ?? [], glob).not.toContain("out/secret")
  }
})
