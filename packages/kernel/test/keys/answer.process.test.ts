import { existsSync } from "node:fs"
import { chmod, mkdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import { listKeys, login, logout } from "../../src/keys/answer.ts"
import { keysFile } from "../../src/keys/keys-file.ts"
import { environmentFor } from "../../src/keys/provider-key.ts"
import { thrownBy } from "../support/temporary.ts"
import { keyedHome } from "./support/keyed-home.ts"

const key = "not-a-key-3b9f"
const keyed = { name: "keyed", keyVariables: ["KEYED_API_KEY", "KEYED_TOKEN"] }
const ofKeyed = { type: "login", provider: "keyed", key } as const

test("a key goes into the keychain, from where it is handed to its provider alone", async () => {
  const { context } = await keyedHome()

  expect(await login(ofKeyed, context)).toEqual({
    type: "login",
    provider: "keyed",
    stored: "keychain",
    file: null,
    keychain_reason: null,
    overridden_by: null,
  })
  expect(await environmentFor(keyed, context)).toEqual({
    env: { ...context.env, KEYED_API_KEY: key },
    keyStored: true,
  })
  expect(await environmentFor({ ...keyed, name: "other" }, context)).toEqual({
    env: context.env,
    keyStored: false,
  })
  expect(process.env.KEYED_API_KEY).toBeUndefined()
})

test("where the keychain cannot take it the key goes into the file, and the answer says why", async () => {
  const { context, keychainIs, home } = await keyedHome()
  keychainIs("locked")

  expect(await login(ofKeyed, context)).toEqual({
    type: "login",
    provider: "keyed",
    stored: "file",
    file: keysFile(home),
    keychain_reason: "it is locked",
    overridden_by: null,
  })
  expect(await environmentFor(keyed, context)).toMatchObject({ env: { KEYED_API_KEY: key } })
})

test("a key that is wished into the file goes there, and the one in the keychain goes away", async () => {
  const { context, home } = await keyedHome()
  await login(ofKeyed, context)

  expect(await login({ ...ofKeyed, key: "newer-key", file: true }, context)).toMatchObject({
    stored: "file",
    keychain_reason: null,
  })
  expect(await environmentFor(keyed, context)).toMatchObject({
    env: { KEYED_API_KEY: "newer-key" },
  })
  expect(JSON.parse(await readFile(keysFile(home), "utf8"))).toEqual({
    version: 1,
    providers: { keyed: { stored: "file", key: "newer-key" } },
  })
})

test.for(["KEYED_API_KEY", "KEYED_TOKEN"])(
  "%s goes before what is stored, which is then not even looked at",
  async variable => {
    const { context, home } = await keyedHome({ [variable]: "from the environment" })

    expect(await login({ ...ofKeyed, file: true }, context)).toMatchObject({
      overridden_by: variable,
    })
    await chmod(keysFile(home), 0o644)
    expect(await environmentFor(keyed, context)).toEqual({ env: context.env, keyStored: false })
  },
)

test("an empty variable is as good as none", async () => {
  const { context } = await keyedHome({ KEYED_API_KEY: "", KEYED_TOKEN: "" })
  await login({ ...ofKeyed, file: true }, context)

  expect(await environmentFor(keyed, context)).toMatchObject({
    env: { KEYED_API_KEY: key },
    keyStored: true,
  })
})

test("a keychain that cannot be used at a run is a failure with the ways out", async () => {
  const { context, keychainIs } = await keyedHome()
  await login(ofKeyed, context)
  keychainIs("locked")

  expect(await thrownBy(() => environmentFor(keyed, context))).toMatchObject({
    code: "key_locked",
    message: "The key of keyed is in the keychain, which cannot be used: it is locked.",
    next: "Unlock it and try again, set KEYED_API_KEY, or store the key in a file: harness login keyed --file.",
  })
  expect(
    await thrownBy(() => logout({ type: "logout", provider: "keyed" }, context)),
  ).toMatchObject({
    code: "key_locked",
    next: "The key is still in it. Unlock it, then repeat harness logout keyed.",
  })
})

test.for([true, false])(
  "a key is removed from where it was, once (in the file: %s)",
  async file => {
    const { context } = await keyedHome()
    await login({ ...ofKeyed, file }, context)
    const answer = { type: "logout", provider: "keyed", overridden_by: null }

    expect(await logout({ type: "logout", provider: "keyed" }, context)).toEqual({
      ...answer,
      removed_from: file ? "file" : "keychain",
    })
    expect(await logout({ type: "logout", provider: "keyed" }, context)).toEqual({
      ...answer,
      removed_from: null,
    })
    expect(await environmentFor(keyed, context)).toEqual({ env: context.env, keyStored: false })
  },
)

test.for([
  ["", "the key is empty"],
  [" \r\n\t", "the key is empty"],
  ["one two", "the key has a space in it"],
  ["one\ttwo", "the key has a space in it"],
  ["one\ntwo", "the key has a line break in it"],
  ["one\r\ntwo", "the key has a line break in it"],
  ["one\u0000two", "the key has a character in it that no key has (U+0000)"],
  ["one\u001b[31mtwo", "the key has a character in it that no key has (U+001B)"],
  ["one\u200btwo", "the key has a character in it that no key has (U+200B)"],
  ["sk-…", "the key has a character in it that no key has (U+2026)"],
  ["🔑", "the key has a character in it that no key has (U+1F511)"],
  ["k".repeat(5_000), "the key is longer than 4096 characters"],
] as const)("%j is no key: %s", async ([given, reason]) => {
  const { context, home } = await keyedHome()
  const thrown = await thrownBy(() => login({ ...ofKeyed, key: given, file: true }, context))

  expect(thrown).toMatchObject({
    code: "key_refused",
    message: `No key was stored for keyed: ${reason}.`,
    next: "Give the key alone, as one line: at the prompt of harness login keyed, or on its standard input.",
  })
  expect(existsSync(keysFile(home))).toBe(false)
})

test("blanks around a key are not part of it", async () => {
  const { context } = await keyedHome()
  await login({ ...ofKeyed, key: `  ${key}\r\n`, file: true }, context)

  expect(await environmentFor(keyed, context)).toMatchObject({ env: { KEYED_API_KEY: key } })
})

test("a provider that takes no key, and one that is not there, are refused by name", async () => {
  const { context, home } = await keyedHome()
  const refused = (provider: string) => thrownBy(() => login({ ...ofKeyed, provider }, context))

  expect(await refused("keyless")).toMatchObject({
    code: "key_refused",
    message: "No key was stored for keyless: it takes none.",
  })
  const unknown = {
    code: "provider_unknown",
    message: "No provider nobody is installed.",
    next: expect.stringContaining("broken, keyed, keyless"),
  }
  expect(await refused("nobody")).toMatchObject(unknown)
  expect(
    await thrownBy(() => logout({ type: "logout", provider: "nobody" }, context)),
  ).toMatchObject(unknown)
  expect(existsSync(keysFile(home))).toBe(false)
})

test("where each provider's key comes from is told without the key and without the keychain", async () => {
  const { context, keychainIs, home } = await keyedHome()
  const keys = async (env = context.env) => (await listKeys({ ...context, env })).keys
  const others = [
    { provider: "keyless", from: "unneeded", variable: null, reason: null },
    {
      provider: "broken",
      from: "unknown",
      variable: null,
      reason: expect.stringContaining("broken"),
    },
  ]
  const keyed = { provider: "keyed", variable: "KEYED_API_KEY", reason: null }
  const sorted = ([keyless, broken]: typeof others, own: object) => [broken, own, keyless]

  expect(await keys()).toEqual(sorted(others, { ...keyed, from: "none" }))

  await login(ofKeyed, context)
  keychainIs("locked")
  expect(await keys()).toEqual(sorted(others, { ...keyed, from: "keychain" }))

  const env = { ...context.env, KEYED_TOKEN: "t" }
  const set = { ...keyed, from: "environment", variable: "KEYED_TOKEN" }
  expect(await keys(env)).toEqual(sorted(others, set))

  await chmod(keysFile(home), 0o644)
  const [, unreadable] = await keys()
  expect(unreadable).toEqual({
    provider: "keyed",
    from: "unknown",
    variable: null,
    reason: expect.stringContaining("others may use it too (mode 0644)"),
  })
})

test("a stored key that was used is redacted in the local log", async () => {
  const { context, home } = await keyedHome()
  await login({ ...ofKeyed, file: true }, context)
  await mkdir(join(home, "logs"))

  context.log.record({ level: "error", event: "x", message: `401 for ${key} (${btoa(key)})` })

  const text = await readFile(join(home, "logs", "harness.log"), "utf8")
  expect(JSON.parse(text)).toMatchObject({ message: "401 for [redacted] ([redacted])" })
})
