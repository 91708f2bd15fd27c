import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { readHead } from "../../src/conversation/head.ts"
import { remoteOf } from "../../src/conversation/remote.ts"
import { temporaryFolder } from "../support/temporary.ts"

const identity = ["-c", "user.name=t", "-c", "user.email=t@example.invalid"]
const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" }

function git(folder: string, ...args: string[]): string {
  const options = { cwd: folder, env, encoding: "utf8" as const, stdio: "pipe" as const }
  return execFileSync("git", [...identity, ...args], options).trim()
}

async function repository(): Promise<string> {
  const folder = await temporaryFolder()
  git(folder, "init", "-q", "-b", "main")
  return folder
}

function commit(folder: string): string {
  git(folder, "commit", "-q", "--allow-empty", "-m", "a commit")
  return git(folder, "rev-parse", "HEAD")
}

test("a folder without a repository has no HEAD and no remote", async () => {
  const folder = await temporaryFolder()
  expect(readHead(folder)).toBeNull()
  expect(remoteOf(folder)).toBeNull()
})

test("a branch without a commit has no HEAD yet", async () => {
  expect(readHead(await repository())).toEqual({ head: null })
})

test("HEAD is read of a branch, of packed refs, detached, and from a folder below", async () => {
  const folder = await repository()
  const head = commit(folder)
  expect(readHead(folder)).toEqual({ head })

  git(folder, "pack-refs", "--all")
  expect(readHead(folder)).toEqual({ head })

  git(folder, "checkout", "-q", "--detach")
  mkdirSync(join(folder, "src/deep"), { recursive: true })
  expect(readHead(join(folder, "src/deep"))).toEqual({ head })
}, 60_000)

test("a work tree has its own HEAD and the remote of its repository", async () => {
  const folder = await repository()
  const first = commit(folder)
  git(folder, "remote", "add", "origin", "git@example.com:jo/shop.git")
  const other = join(await temporaryFolder(), "tree")
  git(folder, "worktree", "add", "-q", "-b", "feature", other)
  const second = commit(other)
  expect([readHead(folder), readHead(other)]).toEqual([{ head: first }, { head: second }])
  expect(remoteOf(other)).toBe("example.com/jo/shop")

  git(folder, "pack-refs", "--all")
  expect(readHead(other)).toEqual({ head: second })
}, 60_000)

test("a submodule has a HEAD and a remote of its own", async () => {
  const library = await repository()
  const libraryHead = commit(library)
  const folder = await repository()
  git(folder, "remote", "add", "origin", "https://example.com/outer")
  git(folder, "-c", "protocol.file.allow=always", "submodule", "add", "-q", library, "lib")
  commit(folder)
  expect(readHead(join(folder, "lib"))).toEqual({ head: libraryHead })
  expect(remoteOf(join(folder, "lib"))).toBe(library)
}, 60_000)

test.each([
  ["a name that goes on for ever", "ref: refs/heads/loop"],
  ["a name outside of refs", "ref: ../../../etc/passwd"],
  ["a name that climbs out", "ref: refs/../../secret"],
  ["no commit", "hello"],
])("a HEAD that holds %s is none", async (_what, head) => {
  const folder = await repository()
  commit(folder)
  writeFileSync(join(folder, "secret"), `${"a".repeat(40)}\n`)
  writeFileSync(join(folder, ".git/refs/heads/loop"), "ref: refs/heads/loop\n")
  writeFileSync(join(folder, ".git/HEAD"), `${head}\n`)
  expect(readHead(folder)).toEqual({ head: null })
})

test("a .git without a HEAD is not taken for a repository", async () => {
  const folder = await temporaryFolder()
  mkdirSync(join(folder, ".git"))
  expect(readHead(folder)).toBeNull()
})

test("the remote is origin, else the first, as git itself reads its config", async () => {
  const folder = await repository()
  expect(remoteOf(folder)).toBeNull()
  git(folder, "remote", "add", "upstream", "https://example.com/up/stream")
  git(folder, "remote", "add", "mirror", "https://example.com/mirror")
  expect(remoteOf(folder)).toBe("example.com/up/stream")
  git(folder, "remote", "add", "origin", "ssh://git@example.com/or/igin")
  git(folder, "config", "--add", "remote.origin.url", "https://example.com/second")
  expect(remoteOf(folder)).toBe("example.com/or/igin")
}, 60_000)

test.each([
  ['[remote "origin"]\n\turl = https://example.com/a/b # where it lives\n', "example.com/a/b"],
  ['[REMOTE "origin"] URL="https://example.com/a;b"\n', "example.com/a;b"],
  ['[remote "origin"]\n  url = https://example.com/\\\na/b\n', "example.com/a/b"],
  ['[remote "origin"]\n  pushurl = x\n[core]\n  url = y\n', null],
  ["[remote]\n  url = https://example.com/a\n", null],
])("a config written by hand is read: %j", async (config, expected) => {
  const folder = await repository()
  writeFileSync(join(folder, ".git/config"), config)
  expect(remoteOf(folder)).toBe(expected)
})
