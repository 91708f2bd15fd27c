import {
  chmodSync,
  readFileSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { defaultSecretFiles, isSecretFile } from "@harness/protocol"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type ChangeScans, changeScans, type ScanEnd } from "../../src/changes/scans.ts"
import { sha256Of } from "../../src/files/content.ts"
import { type Folders, makeFolders } from "../support/folders.ts"

let folders: Folders
let scans: ChangeScans

beforeEach(() => {
  folders = makeFolders()
  scans = changeScans({
    root: folders.root,
    skip: [at("home")],
    isSecret: path => isSecretFile(path, defaultSecretFiles),
  })
})

afterEach(() => {
  folders.dispose()
})

const at = (path: string) => join(folders.path, path)
const hashOf = (text: string) => sha256Of(Buffer.from(text))
const fileOf = (text: string, mode = 0o644) => ({
  type: "file" as const,
  bytes: Buffer.byteLength(text),
  mode,
  sha256: hashOf(text),
})

/** What a scan around `work` says. */
async function around(work: () => unknown): Promise<ScanEnd> {
  const scan = await scans.before("p1")
  await work()
  return await scan.after(folders.evidence)
}

/** The contents that were kept, by role and path. */
function kept(): Record<string, string> {
  const { links } = folders.evidence
  return Object.fromEntries(
    links.map(({ role, path, sha256, withheld }) => {
      const place = join(folders.artifacts, "evidence", sha256.slice(0, 2), sha256)
      return [`${role} ${path}`, withheld ? "(withheld)" : readFileSync(place, "utf8")]
    }),
  )
}

test("files that were made, changed and removed are listed with hash and mode, and kept", async () => {
  folders.put({ "root/src/a.txt": "one", "root/b.txt": "two", "root/run.sh": "x", "root/same": "" })
  chmodSync(at("b.txt"), 0o755)
  const end = await around(() => {
    folders.put({ "root/src/a.txt": "ONE", "root/new/deep/c.txt": "three" })
    unlinkSync(at("b.txt"))
    chmodSync(at("run.sh"), 0o755)
    symlinkSync("src/a.txt", at("link"))
  })
  const link = { type: "link", bytes: 9, mode: 0o777, sha256: hashOf("src/a.txt") }
  expect(end).toEqual({
    changes: {
      files: [
        { path: "b.txt", before: fileOf("two", 0o755), after: null },
        { path: "link", before: null, after: link },
        { path: "new/deep/c.txt", before: null, after: fileOf("three") },
        { path: "run.sh", before: fileOf("x"), after: fileOf("x", 0o755) },
        { path: "src/a.txt", before: fileOf("one"), after: fileOf("ONE") },
      ],
      truncated: false,
    },
  })
  expect(kept()).toEqual({
    "command_before b.txt": "two",
    "command_after link": "src/a.txt",
    "command_after new/deep/c.txt": "three",
    "command_before run.sh": "x",
    "command_after run.sh": "x",
    "command_before src/a.txt": "one",
    "command_after src/a.txt": "ONE",
  })
})

test("nothing is said of files that were only touched, or changed and changed back", async () => {
  folders.put({ "root/a": "one", "root/b": "two" })
  const end = await around(() => {
    utimesSync(at("a"), 1, 1)
    writeFileSync(at("b"), "2")
    writeFileSync(at("b"), "two")
    writeFileSync(at("c"), "")
    unlinkSync(at("c"))
  })
  expect(end).toEqual({})
  expect(kept()).toEqual({})
})

test("a change of the same size, with its times set back, is seen", async () => {
  folders.put({ "root/a": "one" })
  utimesSync(at("a"), 1_000, 1_000)
  const end = await around(() => {
    writeFileSync(at("a"), "two")
    utimesSync(at("a"), 1_000, 1_000)
  })
  expect(end.changes?.files).toEqual([{ path: "a", before: fileOf("one"), after: fileOf("two") }])
})

test("a change of the same size in the same step of the clock is seen", async () => {
  // Without a pause between them: where the clock goes in steps, many fall into one.
  for (let round = 0; round < 60; round += 1) {
    writeFileSync(at("a"), `before ${round % 10}`)
    const scan = await scans.before("p1")
    writeFileSync(at("a"), `after! ${round % 10}`)
    const { changes } = await scan.after(folders.evidence)
    expect(changes?.files.map(({ after }) => after?.sha256)).toEqual([
      hashOf(`after! ${round % 10}`),
    ])
    expect(changes?.files.map(({ before }) => before?.sha256)).toEqual([
      hashOf(`before ${round % 10}`),
    ])
  }
})

test("what changed between two processes belongs to neither", async () => {
  folders.put({ "root/a": "one", "root/b": "one" })
  expect(await around(() => undefined)).toEqual({})
  writeFileSync(at("a"), "by a person")
  unlinkSync(at("b"))
  folders.put({ "root/c": "by a person" })
  expect(await around(() => undefined)).toEqual({})
  const end = await around(() => writeFileSync(at("a"), "by a command"))
  expect(end.changes?.files).toEqual([
    { path: "a", before: fileOf("by a person"), after: fileOf("by a command") },
  ])
})

test("what a file action wrote meanwhile is not the process's, unless it changed it again", async () => {
  folders.put({ "root/a": "one", "root/b": "one" })
  const end = await around(() => {
    writeFileSync(at("a"), "mine")
    scans.wrote("a", hashOf("mine"))
    writeFileSync(at("b"), "mine")
    scans.wrote("b", hashOf("mine"))
    writeFileSync(at("b"), "theirs")
  })
  expect(end.changes?.files.map(({ path }) => path)).toEqual(["b"])
})

test("processes that ran at the same time are named beside each other", async () => {
  const first = await scans.before("p1")
  const second = await scans.before("p2")
  folders.put({ "root/a": "one" })
  const files = [{ path: "a", before: null, after: fileOf("one") }]
  expect(await first.after(folders.evidence)).toEqual({
    changes: { files, truncated: false, beside: ["p2"] },
  })
  expect(await second.after(folders.evidence)).toEqual({
    changes: { files, truncated: false, beside: ["p1"] },
  })
  expect(await around(() => unlinkSync(at("a")))).toEqual({
    changes: { files: [{ path: "a", before: fileOf("one"), after: null }], truncated: false },
  })
})

test("what a file held when a process started is known, whatever was looked at since", async () => {
  folders.put({ "root/a": "one", "root/b": "one" })
  const scan = await scans.before("p1")
  expect(await around(() => writeFileSync(at("a"), "two"))).toMatchObject({
    changes: { files: [{ path: "a", before: fileOf("one"), after: fileOf("two") }] },
  })
  expect(await around(() => unlinkSync(at("b")))).toMatchObject({
    changes: { files: [{ path: "b", before: fileOf("one"), after: null }] },
  })
  await around(() => writeFileSync(at("a"), "three"))
  expect((await scan.after(folders.evidence)).changes?.files).toEqual([
    { path: "a", before: fileOf("one"), after: fileOf("three") },
    { path: "b", before: fileOf("one"), after: null },
  ])
})

test("processes that end together share a look, and each is told its own changes", async () => {
  const opened = await Promise.all(["p1", "p2", "p3"].map(id => scans.before(id)))
  folders.put({ "root/a": "one" })
  const ends = await Promise.all(opened.map(scan => scan.after(folders.evidence)))
  const files = [{ path: "a", before: null, after: fileOf("one") }]
  expect(ends).toEqual([
    { changes: { files, truncated: false, beside: ["p2", "p3"] } },
    { changes: { files, truncated: false, beside: ["p1", "p3"] } },
    { changes: { files, truncated: false, beside: ["p1", "p2"] } },
  ])
})

test("ignored folders, node_modules and harness's own are left out, but for control files in them", async () => {
  folders.put({ "root/.gitignore": "build/\n*.log\n", "root/build/x": "", "root/home/x": "" })
  const end = await around(() => {
    folders.put({
      "root/build/y": "",
      "root/build/.git/hooks/post-merge": "",
      "root/build/deep/.envrc": "",
      "root/node_modules/a/index.js": "",
      "root/home/y": "",
      "root/run.log": "",
    })
  })
  expect(end).toEqual({
    changes: {
      files: [{ path: "run.log", before: null, after: fileOf("") }],
      truncated: false,
    },
    touched: ["build/.git/hooks/post-merge"],
  })
})

test("harness's own folder is left out by whatever path it is named", async () => {
  folders.put({ "root/state/a": "" })
  symlinkSync(at("state"), join(folders.base, "alias"))
  const own = changeScans({
    root: folders.root,
    skip: [join(folders.base, "alias")],
    isSecret: () => false,
  })
  const scan = await own.before("p1")
  folders.put({ "root/state/b": "" })
  expect(await scan.after(folders.evidence)).toEqual({})
})

test("a folder that is no longer ignored is not taken for new, nor one that is now for removed", async () => {
  folders.put({ "root/.gitignore": "a\n", "root/a/x": "", "root/b/x": "" })
  const end = await around(() => writeFileSync(at(".gitignore"), "b\n"))
  expect(end.changes?.files.map(({ path }) => path)).toEqual([".gitignore"])
})

test("of a secret file the hash is listed and the content not kept", async () => {
  folders.put({ "root/.env": "KEY=1" })
  const end = await around(() => writeFileSync(at(".env"), "KEY=2"))
  expect(end.changes?.files).toEqual([
    { path: ".env", before: fileOf("KEY=1"), after: fileOf("KEY=2") },
  ])
  expect(kept()).toEqual({
    "command_before .env": "(withheld)",
    "command_after .env": "(withheld)",
  })
})

test("when the evidence is full the rest is listed without contents", async () => {
  const { evidence } = folders.filesWith({ grantBytes: 10 })
  const scan = await scans.before("p1")
  folders.put({ "root/a": "12345678", "root/b": "87654321", "root/c": "1" })
  const end = await scan.after(evidence)
  expect(end.changes?.files.map(({ path }) => path)).toEqual(["a", "b", "c"])
  expect(evidence.links.map(({ path }) => path)).toEqual(["a"])
})

test("a large file is listed with its size: its hash after, its content not", async () => {
  const large = "x".repeat(2_000_000)
  folders.put({ "root/a": large })
  const end = await around(() => writeFileSync(at("a"), `${large}y`))
  expect(end.changes?.files).toEqual([
    { path: "a", before: { ...fileOf(large), sha256: null }, after: fileOf(`${large}y`) },
  ])
  expect(kept()).toEqual({})
})

test("what a link outside leads to is neither looked at nor read", async () => {
  folders.put({ "outside/secret/a": "one" })
  symlinkSync(folders.outside, at("out"))
  const end = await around(() => {
    folders.put({ "outside/secret/a": "two" })
    renameSync(at("out"), at("renamed"))
  })
  expect(end.changes?.files.map(({ path }) => path)).toEqual(["out", "renamed"])
})

test("a very long list is cut and says so", async () => {
  const end = await around(() => {
    folders.put(Object.fromEntries(Array.from({ length: 1_100 }, (_, n) => [`root/f${n}`, ""])))
  })
  expect(end.changes?.files).toHaveLength(1_000)
  expect(end.changes?.truncated).toBe(true)
})
