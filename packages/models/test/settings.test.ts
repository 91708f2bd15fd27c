import { toFailure } from "@harness/protocol"
import { expect, test } from "vitest"
import { serverSettings, type Vendor } from "../src/settings.ts"

const vendor: Vendor = {
  provider: "parrot",
  keyVariables: ["PARROT_API_KEY", "PARROT_TOKEN"],
  urlVariable: "PARROT_BASE_URL",
  defaultUrl: "https://parrot.example/v1",
}
const local = { PARROT_BASE_URL: "http://localhost:8000/v1" }

test.each([
  [{ PARROT_API_KEY: "k" }, "Check PARROT_API_KEY: the server does not accept it for this model."],
  [{ PARROT_TOKEN: "k" }, "Check PARROT_TOKEN: the server does not accept it for this model."],
  [
    { PARROT_API_KEY: "", PARROT_TOKEN: "k" },
    "Check PARROT_TOKEN: the server does not accept it for this model.",
  ],
  [local, "The server wants a key: set PARROT_API_KEY, or store one: harness login parrot."],
])("with %j a refused key is told with the next step", (env, hint) => {
  expect(serverSettings(vendor, {}, { env }).refusedHint).toBe(hint)
})

test("a stored key that is refused is told with the command that replaces it", () => {
  const env = { PARROT_API_KEY: "k" }

  expect(serverSettings(vendor, {}, { env, keyStored: true }).refusedHint).toBe(
    "The server does not accept the stored key for this model. Store another one: harness login parrot.",
  )
})

test("a key in the configured headers is looked for there, whatever else is set", () => {
  const config = { headers: { Authorization: "Bearer k" } }

  expect(serverSettings(vendor, config, { env: {} }).refusedHint).toMatch(
    /^Check headers of providers\.parrot in config\.jsonc: /,
  )
})

test("without a key the variables, the login and what else the vendor says are named", () => {
  let thrown: unknown
  try {
    serverSettings({ ...vendor, withoutKey: "Or ask a parrot." }, {}, { env: {} })
  } catch (error) {
    thrown = error
  }
  expect(toFailure(thrown)).toMatchObject({
    code: "key_missing",
    message: "The provider parrot needs a key and PARROT_API_KEY is not set.",
    next: "Set PARROT_API_KEY or PARROT_TOKEN for parrot.example, or store a key: harness login parrot. Or ask a parrot.",
  })
})

test("the login of the proxy is among the secrets, and only where a proxy is asked", () => {
  const env = { PARROT_API_KEY: "k", HTTPS_PROXY: "http://user:word@proxy.example" }
  const secrets = (more: Record<string, string>) =>
    serverSettings(vendor, {}, { env: { ...env, ...more } }).secrets

  expect(secrets({})).toEqual(["k", "word", "word", btoa("user:word")])
  expect(secrets({ NO_PROXY: "parrot.example" })).toEqual(["k"])
  expect(secrets(local)).toEqual(["k"])
})
