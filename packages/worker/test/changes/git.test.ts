import { execFileSync } from "node:child_process"
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { gitOf } from "../../src/changes/git.ts"
import { readGitIndex } from "../../src/changes/git-index.ts"
import { statOf } from "../../src/changes/snapshot.ts"
import { type Folders, makeFolders } from "../support/folders.ts"

let folders: Folders

beforeEach(() => {
  folders = makeFolders()
})

afterEach(() => {
  folders.dispose()
})

/** git as a person runs it, without any configuration of this machine. */
function git(...args: string[]): string {
  const who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
  return execFileSync("git", [...who, ...args], {
    cwd: folders.path,
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  })
}

/** The index is written after the files: none of them can have changed in the same moment. */
function addAll(): void {
  const past = new Date(Date.now() - 60_000)
  for (const name of git("ls-files", "-z", "--others").split("\0").filter(Boolean)) {
    utimesSync(join(folders.path, name), past, past)
  }
  git("add", "--all")
}

async function contentOf(path: string): Promise<string | undefined> {
  const stat = statOf(join(folders.path, path))
  const look = await gitOf(folders.root).look()
  return stat && (await look.contentOf(path, stat))?.bytes.toString("latin1")
}

const long = Array.from({ length: 2_000 }, (_, line) => `line ${line} of a text\n`).join("")

describe.each([
  { version: "2", format: "sha1" },
  { version: "3", format: "sha1" },
  { version: "4", format: "sha1" },
  { version: "2", format: "sha256" },
])("an index of version $version in a repository of $format", ({ version, format }) => {
  beforeEach(() => {
    git("init", "--quiet", `--object-format=${format}`)
    git("config", "index.version", version)
    folders.put({
      "root/a.txt": "one\n",
      "root/src/deep/b.txt": long,
      "root/src/deep/bäume.txt": "ä",
      "root/src/empty": "",
      "root/.gitignore": "*.log\n",
    })
    addAll()
    if (version === "3") {
      folders.put({ "root/later.txt": "later" })
      git("add", "--intent-to-add", "later.txt")
    }
  })

  test("names every tracked file, and the folders that they lie in", async () => {
    const file = readFileSync(join(folders.path, ".git/index"))
    const index = await readGitIndex(file, format === "sha256" ? 32 : 20)
    const paths = git("-c", "core.quotePath=false", "ls-files").split("\n").filter(Boolean)
    const tracked = paths.filter(path => path !== "later.txt")
    expect(tracked.filter(path => index?.get(path) === undefined)).toEqual([])
    expect(index?.size).toBe(tracked.length)
    expect(["src", "src/deep", "a.txt", "other"].map(path => index?.hasFolder(path))).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  test("leads to the contents of clean files, loose and packed, and of no other", async () => {
    expect(await contentOf("src/deep/b.txt")).toBe(long)
    expect(await contentOf("src/empty")).toBe("")

    git("commit", "--quiet", "--message", "one")
    // Versions of a text that differ a little are packed as deltas of each other.
    for (const round of [1, 2, 3]) {
      writeFileSync(join(folders.path, "src/deep/b.txt"), `${long}${round}`)
      utimesSync(join(folders.path, "src/deep/b.txt"), 1_000_000 + round, 1_000_000 + round)
      git("add", "src/deep/b.txt")
      git("commit", "--quiet", "--message", `${round}`)
    }
    git("checkout", "--quiet", "HEAD~1")
    git("gc", "--quiet", "--prune=now")
    git("status", "--short")
    await new Promise(resolve => setTimeout(resolve, 20))
    git("update-index", "--force-write-index")

    expect(await contentOf("src/deep/b.txt")).toBe(`${long}2`)
    expect(await contentOf("a.txt")).toBe("one\n")
    appendFileSync(join(folders.path, "a.txt"), "two\n")
    expect(await contentOf("a.txt")).toBeUndefined()
    expect(await contentOf("later.txt")).toBeUndefined()
  })
})

test("what git keeps in another form than the file has is not taken for its content", async () => {
  git("init", "--quiet")
  git("config", "core.autocrlf", "true")
  folders.put({ "root/a.txt": "one\r\ntwo\r\n" })
  addAll()
  expect(await contentOf("a.txt")).toBeUndefined()
})

test("an object whose content is not what its name says is not believed", async () => {
  git("init", "--quiet")
  folders.put({ "root/a.txt": "one\n" })
  addAll()
  const name = git("hash-object", "a.txt").trim()
  const other = git("hash-object", "-w", "--stdin", "--literally", "-t", "blob")
  expect(await contentOf("a.txt")).toBe("one\n")

  const place = (object: string) =>
    join(folders.path, ".git/objects", object.slice(0, 2), object.slice(2))
  const bytes = readFileSync(place(other.trim()))
  execFileSync("chmod", ["u+w", place(name)])
  writeFileSync(place(name), bytes)
  expect(await contentOf("a.txt")).toBeUndefined()
})

test("objects outside the root are not read, whatever leads there", async () => {
  git("init", "--quiet")
  folders.put({ "root/a.txt": "one\n" })
  addAll()
  execFileSync("mv", [join(folders.path, ".git/objects"), join(folders.outside, "objects")])
  symlinkSync(join(folders.outside, "objects"), join(folders.path, ".git/objects"))
  expect(await contentOf("a.txt")).toBeUndefined()
})

test("an index that ends early, or is none, says nothing", async () => {
  mkdirSync(join(folders.path, ".git"))
  expect(await readGitIndex(Buffer.from("DIRC"), 20)).toBeUndefined()
  expect(await readGitIndex(Buffer.alloc(64), 20)).toBeUndefined()
  const cut = Buffer.concat([Buffer.from("DIRC"), Buffer.from([0, 0, 0, 2, 0, 0, 0, 9])])
  expect(await readGitIndex(cut, 20)).toBeUndefined()
})

describe("uncommitted changes", () => {
  const dirty = async () => (await gitOf(folders.root).look()).isDirty(performance.now() + 60_000)
  const write = (name: string, text: string) => writeFileSync(join(folders.path, name), text)
  const commit = (text: string) => git("commit", "-q", "-m", text)

  test("are those of tracked files, and what was added since the last commit", async () => {
    expect(await dirty()).toBe(null)
    git("init", "-q")
    write("a.txt", "one\n")
    write("b.txt", "one\n")
    git("add", ".")
    commit("first")
    expect(await dirty()).toBe(false)

    write("new.txt", "nobody tracks it\n")
    utimesSync(join(folders.path, "a.txt"), new Date(0), new Date(0))
    expect(await dirty()).toBe(false)

    write("a.txt", "two\n")
    expect(await dirty()).toBe(true)
    git("add", "a.txt")
    expect(await dirty()).toBe(true)
    commit("second")
    expect(await dirty()).toBe(false)
    rmSync(join(folders.path, "b.txt"))
    expect(await dirty()).toBe(true)
  })

  test("are not known when there was no time to look", async () => {
    git("init", "-q")
    write("a.txt", "one\n")
    git("add", ".")
    commit("first")
    expect(await (await gitOf(folders.root).look()).isDirty(0)).toBe(null)
  })
})
