import { execFileSync } from "node:child_process"
import { chmod, link, mkdir, readFile, symlink, writeFile } from "node:fs/promises"
import fc from "fast-check"
import { expect, test } from "vitest"
import { keysFile, rememberStoredKey, storedKeyOf } from "../../src/keys/keys-file.ts"
import { temporaryFolder, thrownBy } from "../support/temporary.ts"

const key = "sk-test-not-a-key"
const content = JSON.stringify({ version: 1, providers: { anthropic: { stored: "file", key } } })

async function homeWith(text: string | null) {
  const home = await temporaryFolder()
  if (text !== null) await writeFile(keysFile(home), text, { mode: 0o600 })
  return { home, file: keysFile(home) }
}

const refusal = (home: string) => thrownBy(() => storedKeyOf(home, "anthropic"))

test("a file of the user's own with mode 0600 is read", async () => {
  const { home } = await homeWith(content)

  expect(storedKeyOf(home, "anthropic")).toEqual({ stored: "file", key })
  expect(storedKeyOf(home, "google")).toBeUndefined()
})

test.for([0o604, 0o620, 0o640, 0o602, 0o610, 0o777])(
  "a file with the mode %o is refused",
  async mode => {
    const { home, file } = await homeWith(content)
    await chmod(file, mode)

    const reason = `others may use it too (mode 0${mode.toString(8)})`
    expect(await refusal(home)).toMatchObject({ code: "keys_unusable", details: { file, reason } })
  },
)

test("a symbolic link is refused, also to a good file, and a broken one too", async () => {
  const { home: elsewhere } = await homeWith(content)
  for (const target of [keysFile(elsewhere), "/nowhere/at/all"]) {
    const { home, file } = await homeWith(null)
    await symlink(target, file)

    const reason = "it is a symbolic link"
    expect(await refusal(home)).toMatchObject({ code: "keys_unusable", details: { file, reason } })
    expect(await thrownBy(() => rememberStoredKey(home, "google", null))).toMatchObject({
      code: "keys_unusable",
    })
  }
  expect(await readFile(keysFile(elsewhere), "utf8")).toBe(content)
})

test("a folder or a pipe in its place is refused, and nothing is waited for", async () => {
  const folder = await homeWith(null)
  await mkdir(folder.file, { mode: 0o700 })
  const pipe = await homeWith(null)
  execFileSync("mkfifo", ["-m", "600", pipe.file])

  for (const { home, file } of [folder, pipe]) {
    const reason = "it is not a file"
    expect(await refusal(home)).toMatchObject({ code: "keys_unusable", details: { file, reason } })
  }
})

test("what is not in the form of the file is refused, and nothing of it is in the message", async () => {
  const damaged = [
    "",
    key,
    `{"version":1,"providers":{"anthropic":${key}`,
    JSON.stringify({ version: 2, providers: {} }),
    JSON.stringify({ version: 1, providers: { anthropic: { stored: key } } }),
    JSON.stringify({ version: 1, providers: { anthropic: { stored: "file", [key]: 1 } } }),
    JSON.stringify({ version: 1, providers: {}, [key]: 1 }),
  ]
  for (const text of damaged) {
    const { home, file } = await homeWith(text)
    const thrown = await refusal(home)
    const reason = "it is not what harness login writes"

    expect(thrown).toMatchObject({ code: "keys_unusable", details: { file, reason } })
    expect(JSON.stringify(thrown)).not.toContain(key)
    expect(await readFile(file, "utf8")).toBe(text)
  }
})

test("a new content takes the file's place in one step: who has the old one open keeps it", async () => {
  const { home, file } = await homeWith(content)
  await link(file, `${file}.kept`)

  await rememberStoredKey(home, "anthropic", { stored: "keychain", account: "a" })

  expect(await readFile(`${file}.kept`, "utf8")).toBe(content)
  expect(storedKeyOf(home, "anthropic")).toEqual({ stored: "keychain", account: "a" })
  expect(await readFile(file, "utf8")).not.toContain(key)
})

test("whatever is put down under whatever name is found again", async () => {
  const home = await temporaryFolder()
  const stored = fc.oneof(
    fc.record({ stored: fc.constant("file" as const), key: fc.string() }),
    fc.record({ stored: fc.constant("keychain" as const), account: fc.string() }),
  )
  const property = fc.asyncProperty(fc.string(), stored, async (name, one) => {
    fc.pre(name !== "__proto__")
    await rememberStoredKey(home, name, one)
    expect(storedKeyOf(home, name)).toEqual(one)
    await rememberStoredKey(home, name, null)
    expect(storedKeyOf(home, name)).toBeUndefined()
  })
  await fc.assert(property, { numRuns: 50 })
})
