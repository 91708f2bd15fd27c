import {
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { toFailure } from "@harness/protocol"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { keyOfRemote, keysOf, projectKey } from "../../src/conversation/project-key.ts"
import { normaliseRemote } from "../../src/conversation/remote.ts"
import { temporaryFolder, thrownBy } from "../support/temporary.ts"

function counted(): () => string {
  let count = 0
  return () => String(++count).padStart(12, "0")
}

async function folders() {
  const home = await temporaryFolder()
  const folder = join(await temporaryFolder(), "project")
  await mkdir(folder)
  return { home, folder, ids: counted() }
}

async function setRemote(folder: string, url: string): Promise<void> {
  await mkdir(join(folder, ".git"), { recursive: true })
  await writeFile(join(folder, ".git/HEAD"), "ref: refs/heads/main\n")
  await writeFile(join(folder, ".git/config"), `[remote "origin"]\n\turl = ${url}\n`)
}

test.each([
  "https://github.com/jo/Shop",
  "https://github.com/jo/Shop.git",
  "https://github.com/jo/Shop.git/",
  "https://GitHub.com:443/jo/Shop",
  "https://jo@github.com/jo/Shop",
  "https://jo:s3cret@github.com/jo/Shop.git?token=x#y",
  "http://github.com:80/jo/Shop",
  "git://github.com:9418/jo/Shop.git",
  "git@github.com:jo/Shop.git",
  "github.com:jo/Shop",
  "git@GITHUB.com:/jo/Shop.git",
  "ssh://git@github.com/jo/Shop.git",
  "ssh://git@github.com:2222/jo/Shop",
  "git+ssh://git@github.com/jo/Shop",
])("%s is the remote github.com/jo/Shop", url => {
  expect(normaliseRemote(url, "/srv")).toBe("github.com/jo/Shop")
})

test.each([
  ["https://localhost:3000/a", "localhost:3000/a"],
  ["https://example.com/a%20b", "example.com/a b"],
  ["ssh://git@[::1]:22/a.git", "[::1]/a"],
  ["git@[::1]:a.git", "[::1]/a"],
  ["file:///srv/git/a.git", "/srv/git/a"],
  ["/srv/git/a.git", "/srv/git/a"],
  ["../a.git", "/a"],
  ["./a:b", "/srv/a:b"],
  ["https://example.com", "example.com/"],
  ["https://example.com/@jo/shop", "example.com/@jo/shop"],
])("%s is the remote %s", (url, expected) => {
  expect(normaliseRemote(url, "/srv")).toBe(expected)
})

test("no credentials get into a key, however they look", async () => {
  const encoded = fc.string({ unit: "grapheme" }).map(encodeURIComponent)
  const raw = fc.stringMatching(/^[^/?#\s]*$/)
  const secret = fc.oneof(encoded, raw)
  await fc.assert(
    fc.property(secret, password => {
      const url = `https://jo:${password}@example.com/a/b.git`
      expect(normaliseRemote(url, "/srv")).toBe("example.com/a/b")
    }),
  )
})

test("a key can be the name of a folder, and tells remotes apart that look alike", async () => {
  expect(keyOfRemote("github.com/jo/Shop")).toMatch(/^github\.com-jo-shop-[0-9a-f]{12}$/)
  expect(keyOfRemote("github.com/jo/Shop")).not.toBe(keyOfRemote("github.com/jo/shop"))
  await fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), remote => {
      expect(keyOfRemote(remote)).toMatch(/^(?![.-])[a-z0-9._-]{1,93}$/)
    }),
  )
})

test("clones and renamed folders of one remote have one key, and nothing is written down", async () => {
  const { home, folder, ids } = await folders()
  await setRemote(folder, "git@github.com:jo/shop.git")
  const found = await projectKey(folder, { home, ids })
  expect(found).toEqual({ key: keyOfRemote("github.com/jo/shop"), aliases: [] })

  const renamed = `${folder}-2`
  await rename(folder, renamed)
  await mkdir(join(renamed, "src"))
  expect(await projectKey(join(renamed, "src"), { home, ids })).toEqual(found)
  expect(await thrownBy(() => stat(join(home, "folders.json")))).toBeInstanceOf(Error)
})

test("a folder without a remote keeps a random key, by its real path", async () => {
  const { home, folder, ids } = await folders()
  const found = await projectKey(folder, { home, ids })
  expect(found).toEqual({ key: "folder-000000000001", aliases: [] })
  await symlink(folder, `${folder}-link`)
  expect(await projectKey(`${folder}-link`, { home, ids })).toEqual(found)

  const file = join(home, "folders.json")
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual({
    version: 1,
    keys: { [folder]: "folder-000000000001" },
    aliases: {},
  })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test("when a remote appears the old key becomes an alias, and stays one when the remote goes", async () => {
  const { home, folder, ids } = await folders()
  const before = await projectKey(folder, { home, ids })
  await setRemote(folder, "https://github.com/jo/shop")
  const key = keyOfRemote("github.com/jo/shop")
  const after = { key, aliases: [before.key] }
  expect(await projectKey(folder, { home, ids })).toEqual(after)
  expect(await projectKey(folder, { home, ids })).toEqual(after)

  await writeFile(join(folder, ".git/config"), "")
  expect(await projectKey(folder, { home, ids })).toEqual(after)
})

test("folders that are opened at once do not lose each other's key", async () => {
  const { home, folder, ids } = await folders()
  const many = Array.from({ length: 12 }, (_, index) => join(folder, `p${index % 6}`))
  for (const one of many) await mkdir(one, { recursive: true })
  const keys = await Promise.all(many.map(one => projectKey(one, { home, ids })))
  expect(new Set(keys.map(({ key }) => key)).size).toBe(6)
  expect(await Promise.all(many.map(one => projectKey(one, { home, ids })))).toEqual(keys)
  expect(await readdir(home)).toEqual(["folders.json"])
}, 60_000)

test("a draft that a killed process left is cleared away, and one that is being written is waited for", async () => {
  const { home, folder, ids } = await folders()
  const draft = join(home, "folders.json.new")
  await writeFile(draft, "{")
  await utimes(draft, 0, 0)
  expect((await projectKey(folder, { home, ids })).aliases).toEqual([])

  await writeFile(draft, "{")
  const other = join(folder, "other")
  await mkdir(other)
  const waiting = projectKey(other, { home, ids })
  await setTimeout(50)
  await rm(draft)
  expect(await waiting).toEqual({ key: "folder-000000000002", aliases: [] })
  expect(await readdir(home)).toEqual(["folders.json"])
})

test("a home that cannot be written is named", async () => {
  const { folder, ids } = await folders()
  const home = join(folder, "missing")
  const error = await thrownBy(() => projectKey(folder, { home, ids }))
  expect(toFailure(error)).toMatchObject({ code: "home_unusable", details: { home } })
})

test.each(["{", '{"version":2}', '{"version":1,"keys":[],"aliases":{}}'])(
  "a folders.json that says %s is named and left as it is",
  async text => {
    const { home, folder, ids } = await folders()
    const file = join(home, "folders.json")
    await writeFile(file, text)
    const error = await thrownBy(() => projectKey(folder, { home, ids }))
    expect(toFailure(error)).toMatchObject({ code: "folders_invalid", details: { file } })
    expect(await readFile(file, "utf8")).toBe(text)
  },
)

test("the keys of a folder are those that its conversations can lie under, and none is made", async () => {
  const { home, folder, ids } = await folders()
  expect(await keysOf(folder, home)).toEqual([])
  expect(await readdir(home)).toEqual([])

  const { key } = await projectKey(folder, { home, ids })
  expect(await keysOf(folder, home)).toEqual([key])
  await setRemote(folder, "git@github.com:jo/shop.git")
  const remote = keyOfRemote("github.com/jo/shop")
  expect(await keysOf(folder, home)).toEqual([remote, key])
  await projectKey(folder, { home, ids })
  expect(await keysOf(folder, home)).toEqual([remote, key])
})
