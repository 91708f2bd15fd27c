import { createHash } from "node:crypto"
import { existsSync, readFileSync, statSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { bytesOf, type Folders, makeFolders } from "../support/folders.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

let folders: Folders

beforeEach(() => {
  folders = makeFolders()
})

afterEach(() => {
  folders.dispose()
})

const at = (path: string) => join(folders.path, path)
const remove = (path: string, expected: string) => folders.files.remove(path, { expected })

test("a file that holds what is expected is removed, its content is evidence, its folder stays", async () => {
  folders.put({ "root/new/a.txt": "made" })
  expect(await remove("new/a.txt", sha256("made"))).toEqual({
    status: "removed",
    path: "new/a.txt",
    before: sha256("made"),
  })
  expect([existsSync(at("new/a.txt")), existsSync(at("new"))]).toEqual([false, true])
  expect(folders.evidence.links).toEqual([
    { role: "before", sha256: sha256("made"), bytes: 4, path: "new/a.txt" },
  ])
  const kept = join(folders.artifacts, "evidence", sha256("made").slice(0, 2), sha256("made"))
  expect(readFileSync(kept, "utf8")).toBe("made")
})

test("a file that holds something else, or is gone, is a conflict and stays as it is", async () => {
  folders.put({ "root/a.txt": "other" })
  expect(await remove("a.txt", sha256("made"))).toEqual({
    status: "conflict",
    path: "a.txt",
    found: sha256("other"),
  })
  expect(await remove("b.txt", sha256("made"))).toEqual({
    status: "conflict",
    path: "b.txt",
    found: null,
  })
  expect(readFileSync(at("a.txt"), "utf8")).toBe("other")
  expect(folders.evidence.links).toEqual([])
})

test("what a link leads to is not removed, inside the root or outside", async () => {
  folders.put({ "root/a.txt": "made", "outside/b.txt": "made" })
  symlinkSync("a.txt", at("link"))
  symlinkSync(folders.outside, at("out"))
  expect(await remove("link", sha256("made"))).toMatchObject({ error: "not_a_file" })
  expect(await remove("out/b.txt", sha256("made"))).toMatchObject({ error: "outside_root" })
  expect(existsSync(at("a.txt"))).toBe(true)
  expect(existsSync(join(folders.outside, "b.txt"))).toBe(true)
})

test("a control file needs the permit, and of a secret file the hash alone is kept", async () => {
  folders.put({ "root/.envrc": "made", "root/.env": "made" })
  expect(await remove(".envrc", sha256("made"))).toMatchObject({ error: "control_file" })
  const { files, evidence } = folders.filesWith({ permits: ["control_file", "secret_file"] })
  expect(await files.remove(".envrc", { expected: sha256("made") })).toMatchObject({
    status: "removed",
  })
  await files.remove(".env", { expected: sha256("made") })
  expect(evidence.links.map(({ path, withheld }) => [path, withheld])).toEqual([
    [".envrc", undefined],
    [".env", true],
  ])
})

test("without room for its content a file is not removed", async () => {
  folders.put({ "root/a.txt": "made" })
  const { files } = folders.filesWith({ grantBytes: 3 })
  expect(await files.remove("a.txt", { expected: sha256("made") })).toMatchObject({
    error: "evidence_exhausted",
  })
  expect(existsSync(at("a.txt"))).toBe(true)
})

test("a replacement takes the permission bits that it is given, and no more than those", async () => {
  folders.put({ "root/a.sh": "old" })
  for (const [path, expected] of [
    ["a.sh", sha256("old")],
    ["b.sh", "absent"],
  ] as const) {
    await folders.files.replace(path, bytesOf("new"), { expected, mode: 0o4750 })
    expect(statSync(at(path)).mode & 0o7777).toBe(0o750)
  }
})
