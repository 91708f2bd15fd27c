import { createHash } from "node:crypto"
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { afterEach, beforeEach, expect, test } from "vitest"
import { bytesOf, type Folders, identityOf, makeFolders } from "../support/folders.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

let folders: Folders

beforeEach(() => {
  folders = makeFolders()
})

afterEach(() => {
  folders.dispose()
})

const at = (path: string) => join(folders.path, path)
const textOf = (path: string) => readFileSync(at(path), "utf8")
const replace = (path: string, text: string, expected: string) =>
  folders.files.replace(path, bytesOf(text), { expected })

test("content with the expected hash is replaced, and both contents are evidence", async () => {
  folders.put({ "root/a.txt": "old" })
  expect(await replace("a.txt", "new", sha256("old"))).toEqual({
    status: "written",
    path: "a.txt",
    before: sha256("old"),
    sha256: sha256("new"),
    bytes: 3,
  })
  expect(textOf("a.txt")).toBe("new")
  expect(readdirSync(folders.path)).toEqual(["a.txt"])
  expect(folders.evidence.links).toEqual([
    { role: "before", sha256: sha256("old"), bytes: 3, path: "a.txt" },
    { role: "after", sha256: sha256("new"), bytes: 3, path: "a.txt" },
  ])
  for (const text of ["old", "new"]) {
    const hash = sha256(text)
    const kept = join(folders.artifacts, "evidence", hash.slice(0, 2), hash)
    expect(readFileSync(kept, "utf8")).toBe(text)
  }
})

test("a file that is expected to be absent is made with its folders, under the umask", async () => {
  expect(await replace("new/deep/a.txt", "hi", "absent")).toEqual({
    status: "written",
    path: "new/deep/a.txt",
    before: null,
    sha256: sha256("hi"),
    bytes: 2,
  })
  expect(textOf("new/deep/a.txt")).toBe("hi")
  expect(statSync(at("new/deep/a.txt")).mode & 0o777).toBe(0o666 & ~process.umask())
  expect(readdirSync(at("new/deep"))).toEqual(["a.txt"])
})

test.each([
  ["the file holds something else", sha256("other"), sha256("here")],
  ["the file is expected to be absent", "absent", sha256("here")],
])("nothing changes when %s", async (_case, expected, found) => {
  folders.put({ "root/a.txt": "here" })
  const before = identityOf(statSync(at("a.txt")))
  expect(await replace("a.txt", "new", expected)).toEqual({
    status: "conflict",
    path: "a.txt",
    found,
  })
  expect(identityOf(statSync(at("a.txt")))).toEqual(before)
  expect(folders.evidence.links).toEqual([])
})

test("a file that is missing but expected is a conflict, and its folders are not made", async () => {
  expect(await replace("new/a.txt", "x", sha256("here"))).toEqual({
    status: "conflict",
    path: "new/a.txt",
    found: null,
  })
  expect(readdirSync(folders.path)).toEqual([])
})

test("mode and owner of the file are kept", async () => {
  folders.put({ "root/run.sh": "old" })
  const root = process.getuid?.() === 0
  if (root) chownSync(at("run.sh"), 12_345, 12_346)
  chmodSync(at("run.sh"), 0o4751)
  const before = statSync(at("run.sh"))
  expect(await replace("run.sh", "new", sha256("old"))).toMatchObject({ status: "written" })
  const { mode, uid, gid } = statSync(at("run.sh"))
  expect({ mode, uid, gid }).toEqual({ mode: before.mode, uid: before.uid, gid: before.gid })
})

test("a file that may not be written is refused, but to the system's administrator, and stays read-only", async () => {
  folders.put({ "root/a.txt": "old" })
  chmodSync(at("a.txt"), 0o444)
  const isAdministrator = process.getuid?.() === 0
  expect(await replace("a.txt", "new", sha256("old"))).toMatchObject(
    isAdministrator ? { status: "written" } : { status: "refused", error: "unwritable" },
  )
  expect(textOf("a.txt")).toBe(isAdministrator ? "new" : "old")
  expect(statSync(at("a.txt")).mode & 0o7777).toBe(0o444)
})

test("a new file in a folder with set-gid belongs to the folder's group", async () => {
  folders.put({ "root/shared/x": "" })
  const { gid } = statSync(at("shared"))
  const group = process.getuid?.() === 0 ? 12_346 : gid
  chownSync(at("shared"), -1, group)
  chmodSync(at("shared"), 0o2775)
  expect(await replace("shared/new", "new", "absent")).toMatchObject({ status: "written" })
  expect(statSync(at("shared/new")).gid).toBe(group)
})

test("a link inside is written through to its target and stays a link", async () => {
  folders.put({ "root/real/a.txt": "old" })
  symlinkSync("real/a.txt", at("link"))
  symlinkSync("real/new.txt", at("dangling"))
  expect(await replace("link", "new", sha256("old"))).toMatchObject({
    status: "written",
    path: "real/a.txt",
  })
  expect(await replace("dangling", "made", "absent")).toMatchObject({ path: "real/new.txt" })
  expect(textOf("real/a.txt")).toBe("new")
  expect(textOf("real/new.txt")).toBe("made")
  expect(lstatSync(at("link")).isSymbolicLink()).toBe(true)
})

test("a second name of the file outside keeps the old content", async () => {
  folders.put({ "outside/shared": "old" })
  linkSync(join(folders.outside, "shared"), at("shared"))
  expect(await replace("shared", "new", sha256("old"))).toMatchObject({ status: "written" })
  expect(readFileSync(join(folders.outside, "shared"), "utf8")).toBe("old")
})

test("a grant that does not hold both contents refuses before anything changes", async () => {
  folders.put({ "root/a.txt": "12345" })
  const before = identityOf(statSync(at("a.txt")))
  const exhausted = { status: "refused", error: "evidence_exhausted" }
  const tight = folders.filesWith({ grantBytes: 9 })
  const write = (text: string) =>
    tight.files.replace("a.txt", bytesOf(text), { expected: sha256("12345") })
  expect(await write("54321")).toMatchObject(exhausted)
  expect(
    await tight.files.replace("n/b", new Uint8Array(10), { expected: "absent" }),
  ).toMatchObject(exhausted)
  expect(identityOf(statSync(at("a.txt")))).toEqual(before)
  expect(readdirSync(folders.path)).toEqual(["a.txt"])
  expect(tight.evidence).toMatchObject({ links: [], usedBytes: 0 })
  expect(existsSync(join(folders.artifacts, "evidence"))).toBe(false)

  expect(await write("4321")).toMatchObject({ status: "written" })
  expect(tight.evidence.usedBytes).toBe(9)
})

test("in 1,000 interleavings of two writers one wins and the other meets a conflict", async () => {
  const delay = fc.nat(30)
  await fc.assert(
    fc.asyncProperty(delay, delay, async (first, second) => {
      rmSync(at("a"), { force: true })
      await replace("a", "start", "absent")
      const write = async (writer: string, turns: number) => {
        for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
        return await replace("a", writer, sha256("start"))
      }
      const results = await Promise.all([write("first", first), write("second", second)])
      const winner = textOf("a")
      expect(["first", "second"]).toContain(winner)
      expect(results.map(({ status }) => status).sort()).toEqual(["conflict", "written"])
      expect(results.find(({ status }) => status === "conflict")).toMatchObject({
        found: sha256(winner),
      })
    }),
    { numRuns: 1_000 },
  )
}, 60_000)

test("of writers that create the same file one wins", async () => {
  const writers = ["a", "b", "c", "d"]
  const results = await Promise.all(writers.map(text => replace("deep/new", text, "absent")))
  expect(results.map(({ status }) => status).sort()).toEqual([
    "conflict",
    "conflict",
    "conflict",
    "written",
  ])
})

test("read-edit-writes of interleaved writers lose no line", async () => {
  await replace("log", "", "absent")
  let conflicts = 0
  const append = async (line: string): Promise<void> => {
    const read = await folders.files.read("log", { limitBytes: 1_000_000 })
    if (read.status === "refused") throw new Error(read.message)
    const written = await folders.files.replace("log", Buffer.concat([read.bytes, bytesOf(line)]), {
      expected: read.sha256,
    })
    if (written.status === "written") return
    expect(written.status).toBe("conflict")
    conflicts += 1
    await append(line)
  }
  const writer = async (name: string) => {
    for (let line = 0; line < 50; line += 1) await append(`${name}${line}\n`)
  }
  await Promise.all(["a", "b", "c", "d"].map(writer))

  const lines = textOf("log").trimEnd().split("\n")
  expect(new Set(lines).size).toBe(200)
  expect(lines).toHaveLength(200)
  expect(conflicts).toBeGreaterThan(0)
})
