import { execFileSync } from "node:child_process"
import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { readProjectContent } from "../../src/trust/content.ts"
import { writeFiles } from "../registry/packages.ts"
import { temporaryFolder } from "../support/temporary.ts"

async function projectWith(files: Record<string, string>): Promise<string> {
  const root = await temporaryFolder()
  await writeFiles(root, files)
  return root
}

const read = (root: string) => readProjectContent(root, "/nowhere/home")

const hashOf = (root: string): string => {
  const found = read(root)
  if (found.status !== "found") throw new Error(`it is ${found.status}`)
  return found.sha256
}

const small = {
  ".harness/config.jsonc": '{ "style": "tools" }',
  ".harness/packages/notes/package.json": "{}",
  ".harness/packages/notes/src/index.ts": "export const x = 1",
}

test("a folder without .harness, or with nothing in it that counts, brings nothing", async () => {
  expect(read(await temporaryFolder())).toEqual({ status: "none" })
  expect(read(await projectWith({ ".harness/notes.md": "hello" }))).toEqual({ status: "none" })
})

test("what counts is the configuration and every file of every package", async () => {
  const root = await projectWith({ ...small, ".harness/packages/a/index.js": "", ".harness/x": "" })
  expect(read(root)).toEqual({
    status: "found",
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    config: '{ "style": "tools" }',
    packages: [join(root, ".harness/packages/a"), join(root, ".harness/packages/notes")],
  })
})

test("the hash is that of the content, wherever the folder is", async () => {
  const [one, other] = [await projectWith(small), await projectWith(small)]
  expect(hashOf(one)).toBe(hashOf(other))
})

describe("the hash changes with what counts", () => {
  test.each<[string, (root: string) => Promise<void>]>([
    ["the configuration", root => writeFile(join(root, ".harness/config.jsonc"), "{}")],
    ["the configuration's absence", root => rm(join(root, ".harness/config.jsonc"))],
    [
      "a byte of a module",
      root => writeFiles(root, { ".harness/packages/notes/src/index.ts": "" }),
    ],
    ["a new file", root => writeFiles(root, { ".harness/packages/notes/more.ts": "" })],
    [
      "a package's place",
      root => rename(join(root, ".harness/packages/notes"), join(root, ".harness/packages/other")),
    ],
  ])("%s", async (_what, change) => {
    const root = await projectWith(small)
    const before = hashOf(root)
    await change(root)
    expect(hashOf(root)).not.toBe(before)
  })
})

describe("nothing is followed out of the folder, and nothing is waited for", () => {
  const link = "a symbolic link, which is never followed"

  test.each<[string, (root: string, elsewhere: string) => unknown, string]>([
    [".harness", (root, elsewhere) => symlink(elsewhere, join(root, ".harness")), `it is ${link}`],
    [
      "config.jsonc",
      async (root, elsewhere) => {
        await mkdir(join(root, ".harness"))
        await symlink(join(elsewhere, "config.jsonc"), join(root, ".harness/config.jsonc"))
      },
      `config.jsonc is ${link}`,
    ],
    [
      "packages",
      async (root, elsewhere) => {
        await mkdir(join(root, ".harness"))
        await symlink(join(elsewhere, "packages"), join(root, ".harness/packages"))
      },
      `packages is ${link}`,
    ],
    [
      "a package",
      async (root, elsewhere) => {
        await mkdir(join(root, ".harness/packages"), { recursive: true })
        await symlink(join(elsewhere, "packages/notes"), join(root, ".harness/packages/notes"))
      },
      `packages/notes is ${link}`,
    ],
    [
      "a link that leads nowhere",
      async root => {
        await mkdir(join(root, ".harness/packages"), { recursive: true })
        await symlink("nothing", join(root, ".harness/packages/x"))
      },
      `packages/x is ${link}`,
    ],
    [
      "a pipe",
      async root => {
        await mkdir(join(root, ".harness"))
        execFileSync("mkfifo", [join(root, ".harness/config.jsonc")])
      },
      "config.jsonc is neither a file nor a folder",
    ],
    ["a file", root => writeFile(join(root, ".harness"), "x"), "it is a file"],
    [
      "a folder in the configuration's place",
      root => mkdir(join(root, ".harness/config.jsonc"), { recursive: true }),
      "config.jsonc is a folder",
    ],
  ])("%s", async (_what, make, reason) => {
    const elsewhere = join(await projectWith(small), ".harness")
    const root = await temporaryFolder()
    await make(root, elsewhere)
    expect(read(root)).toEqual({ status: "unusable", reason })
  })
})

test("the home itself is no project's folder, also reached by another name", async () => {
  const user = await projectWith(small)
  const alias = join(await temporaryFolder(), "alias")
  await symlink(user, alias)

  expect(readProjectContent(user, join(user, ".harness"))).toEqual({ status: "none" })
  expect(readProjectContent(user, join(alias, ".harness"))).toEqual({ status: "none" })
})

test("more than can be looked through at each start is unusable", async () => {
  const large = "x".repeat(17 * 1_048_576)
  const root = await projectWith({ ".harness/packages/a/large": large })
  expect(read(root)).toEqual({
    status: "unusable",
    reason: "packages/a/large has more than 16777216 bytes",
  })

  const names = Array.from({ length: 2_001 }, (_none, index) => [
    `.harness/packages/a/${index}`,
    "",
  ])
  expect(read(await projectWith(Object.fromEntries(names)))).toEqual({
    status: "unusable",
    reason: "it has more than 2000 files",
  })
})
