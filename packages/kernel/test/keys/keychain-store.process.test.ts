import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { fileKeys } from "../../src/keys/file-store.ts"
import { keychainKeys } from "../../src/keys/keychain-store.ts"
import { keysFile } from "../../src/keys/keys-file.ts"
import { temporaryFolder } from "../support/temporary.ts"
import { keyStoreConformance } from "./support/store-conformance.ts"

const standIn = fileURLToPath(new URL("./support/keychain.ts", import.meta.url))
const real = fileURLToPath(new URL("../../src/keys/keychain-process.ts", import.meta.url))
const key = "sk-test-not-a-key"

const folders = new Map<string, string>()

/** A store over the home, with one keychain for each home. */
async function open(home: string, answerSeconds = 60) {
  const folder = folders.get(home) ?? (await temporaryFolder())
  folders.set(home, folder)
  const options = { entry: standIn, nodeFlags: [], env: { TMPDIR: folder }, answerSeconds }
  return keychainKeys(home, options)
}

async function opened() {
  const home = await temporaryFolder()
  const store = await open(home)
  const mode = (name: string) => writeFile(join(folders.get(home) ?? "", "mode"), name)
  const accounts = async () =>
    (await readdir(folders.get(home) ?? "")).filter(name => name !== "mode")
  return { home, store, mode, accounts }
}

keyStoreConformance("keys in the keychain", home => open(home))

test("the file of the home names the account and does not hold the key", async () => {
  const { home, store, accounts } = await opened()
  await store.put("anthropic", key)

  const text = await readFile(keysFile(home), "utf8")
  expect(JSON.parse(text)).toEqual({
    version: 1,
    providers: {
      anthropic: {
        stored: "keychain",
        account: expect.stringMatching(/^anthropic \([0-9a-f]{12}\)$/),
      },
    },
  })
  expect((await accounts()).map(decodeURIComponent)).toEqual([
    JSON.parse(text).providers.anthropic.account,
  ])
})

test("a key that is kept in the keychain is no longer in the file, and one account is used again", async () => {
  const { home, store, accounts } = await opened()
  await fileKeys(home).put("anthropic", key)
  await store.put("anthropic", "new")
  await store.put("anthropic", "newer")

  expect(await fileKeys(home).get("anthropic")).toEqual({ status: "none" })
  expect(await readFile(keysFile(home), "utf8")).not.toContain(key)
  expect(await accounts()).toHaveLength(1)
})

test("two homes have each their own key in one keychain", async () => {
  const [one, other] = [await opened(), await opened()]
  folders.set(other.home, folders.get(one.home) ?? "")
  const second = await open(other.home)
  await one.store.put("anthropic", "of one")
  await second.put("anthropic", "of the other")
  await second.remove("anthropic")

  expect(await one.store.get("anthropic")).toEqual({ status: "found", key: "of one" })
})

test.for([
  ["locked", "it is locked"],
  ["dies", "what asks it ended without an answer"],
  ["babbles", "what asks it gave no answer"],
  ["hangs", "it did not answer within 0.2 s"],
] as const)(
  "a keychain that %s is unavailable with the reason, without the key, and what is on record stays",
  async ([name, reason]) => {
    const { home, store: patient, mode } = await opened()
    await patient.put("anthropic", key)
    const store = name === "hangs" ? await open(home, 0.2) : patient
    const before = await readFile(keysFile(home), "utf8")
    await mode(name)

    expect(await store.get("anthropic")).toEqual({ status: "unavailable", reason })
    expect(await store.put("anthropic", "new")).toMatchObject({ status: "unavailable" })
    expect(await store.remove("anthropic")).toMatchObject({ status: "unavailable" })
    expect(await readFile(keysFile(home), "utf8")).toBe(before)

    await mode("open")
    expect(await patient.get("anthropic")).toEqual({ status: "found", key })
  },
)

test("the real keychain of a session without one is unavailable, and says why in one line", async () => {
  const home = await temporaryFolder()
  // No bus and nothing to unlock: neither a session's own nor the user's.
  const env = { PATH: process.env.PATH, HOME: home, DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere" }
  const store = keychainKeys(home, { entry: real, nodeFlags: [], env })

  expect(await store.put("anthropic", key)).toEqual({
    status: "unavailable",
    reason: expect.stringMatching(/^[^\n]+$/),
  })
  expect(await readdir(home)).toEqual([])
})
