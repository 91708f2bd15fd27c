import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Config } from "@harness/protocol"
import { describe, expect, test } from "vitest"
import { loadConfig, showConfig } from "../../src/config/load.ts"
import { temporaryFolder, thrownBy } from "../support/temporary.ts"

async function homeWith(text: string): Promise<string> {
  const home = await temporaryFolder()
  await writeFile(join(home, "config.jsonc"), text)
  return home
}

test("without a file, a variable or a flag every value is the default", async () => {
  const { config, values } = await loadConfig({ home: await temporaryFolder(), env: {} })

  expect(config).toEqual(Config.parse({}))
  expect(new Set(values.map(({ origin }) => origin))).toEqual(new Set(["default"]))
  expect(values.slice(0, 5)).toEqual([
    { key: "model", value: null, origin: "default" },
    { key: "approve", value: null, origin: "default" },
    { key: "style", value: "programs", origin: "default" },
    { key: "sandbox", value: "os", origin: "default" },
    { key: "network", value: false, origin: "default" },
  ])
})

test("a flag goes before a variable, a variable before the file, and each value says whence it is", async () => {
  const home = await homeWith(`{
  // what I use at home
  "model": "a/from-file",
  "style": "tools",
  "limits": { "max_steps": 10,
    "max_cost": 1.5 },
}`)
  const env = { HARNESS_MODEL: "b/from-env", HARNESS_MAX_STEPS: "20", HARNESS_SANDBOX: "off" }

  const loaded = await loadConfig({ home, env, flags: { model: "c/from-flag", network: true } })

  expect(loaded.config).toEqual(
    Config.parse({
      model: "c/from-flag",
      style: "tools",
      sandbox: "off",
      network: true,
      limits: { max_steps: 20, max_cost: 1.5 },
    }),
  )
  expect(loaded.values.filter(({ origin }) => origin !== "default")).toEqual([
    { key: "model", value: "c/from-flag", origin: "flag --model" },
    { key: "style", value: "tools", origin: "config.jsonc:4" },
    { key: "sandbox", value: "off", origin: "env HARNESS_SANDBOX" },
    { key: "network", value: true, origin: "flag --network" },
    { key: "limits.max_steps", value: 20, origin: "env HARNESS_MAX_STEPS" },
    { key: "limits.max_cost", value: 1.5, origin: "config.jsonc:6" },
  ])
})

test("an empty variable is as good as none", async () => {
  const { config } = await loadConfig({ home: await temporaryFolder(), env: { HARNESS_STYLE: "" } })

  expect(config.style).toBe("programs")
})

test("a file of comments alone is a file without values", async () => {
  const home = await homeWith("\uFEFF// nothing yet\n")

  expect((await loadConfig({ home, env: {} })).config).toEqual(Config.parse({}))
})

describe("a variable that cannot be used is named", () => {
  test.each([
    ["HARNESS_STYLE", "poems", 'must be one of "programs"|"tools"'],
    ["HARNESS_APPROVE", "all", 'must be one of "gate"|"programs"|"none"|"plan"'],
    ["HARNESS_SANDBOX", "on", 'must be one of "os"|"off"'],
    ["HARNESS_MAX_STEPS", "1.5", "must be a whole number above 0"],
    ["HARNESS_MAX_STEPS", "0", "must be a whole number above 0"],
    ["HARNESS_MAX_COST", "-1", "must be a number above 0, such as 2.50"],
    ["HARNESS_MAX_COST", "0", "must be above 0"],
  ])("%s=%s", async (option, value, reason) => {
    const home = await temporaryFolder()

    const error = await thrownBy(() => loadConfig({ home, env: { [option]: value } }))

    expect(error).toMatchObject({
      code: "option_invalid",
      exit: 2,
      details: { option, value, reason, command: "run" },
    })
  })
})

describe("a file that cannot be used is named with the line, the key and the reason", () => {
  const limits = Object.keys(Config.shape.limits.unwrap().shape).join(", ")

  test.each([
    [
      "an unknown key",
      '{\n  "modle": "a/b"\n}',
      2,
      "modle",
      /^is not a known key \(known here: model, style,/,
    ],
    [
      "an unknown key within",
      '{\n"limits": {\n"steps": 1 } }',
      3,
      "limits.steps",
      `is not a known key (known here: ${limits})`,
    ],
    ["a wrong type", '{\n\n"network": "yes" }', 3, "network", "expected boolean, received string"],
    [
      "a value out of bounds",
      '{ "limits": {\n"max_steps": 0 } }',
      2,
      "limits.max_steps",
      "too small: expected number to be >=1",
    ],
    ["a wrong choice", '{"style":\n"poems"}', 1, "style", 'expected one of "programs"|"tools"'],
    [
      "an incomplete rule",
      '{"rules": [\n{ "verdict": "ask" },\n{ "effect": "write" } ] }',
      3,
      "rules[1].verdict",
      'expected one of "allow"|"ask"|"deny"',
    ],
    [
      "of two mistakes the first",
      '{ "style": 1,\n"model": 2 }',
      1,
      "style",
      'expected one of "programs"|"tools"',
    ],
    ["a missing comma", '{ "model": "a/b"\n"style": "tools" }', 2, "style", "comma expected"],
    ["an end too early", '{ "limits": {\n', 2, "limits", "close brace expected"],
    ["a list", "[]", 1, "the document", "expected object, received array"],
    ["a key set twice", '{ "model": "a/b",\n"model": "c/d" }', 2, "model", "the key is set twice"],
    [
      "__proto__",
      '{ "providers": { "x": {\n"__proto__": {} } } }',
      2,
      "providers.x.__proto__",
      "the key cannot be used",
    ],
    [
      "a model without its provider",
      '{ "models": {\n"claude-sonnet-5": {} } }',
      2,
      "models.claude-sonnet-5",
      "the key must be provider/model",
    ],
    [
      "a strange key",
      '{ "models": { "a/b": { "price": 1 } } }',
      1,
      'models."a/b".price',
      "expected object, received number",
    ],
  ])("%s", async (_name, text, line, key, reason) => {
    const home = await homeWith(text)

    const error = await thrownBy(() => loadConfig({ home, env: {} }))

    expect(error).toMatchObject({
      code: "config_invalid",
      exit: 2,
      details: {
        file: join(home, "config.jsonc"),
        line,
        key,
        reason: typeof reason === "string" ? reason : expect.stringMatching(reason),
      },
    })
  })
})

test("a config.jsonc that cannot be read makes the home unusable", async () => {
  const home = await temporaryFolder()
  await mkdir(join(home, "config.jsonc"))

  const error = await thrownBy(() => loadConfig({ home, env: {} }))

  expect(error).toMatchObject({
    code: "home_unusable",
    details: { home, reason: "config.jsonc cannot be read: it is a folder" },
  })
})

test("what is shown holds no secret, while providers get theirs", async () => {
  const options = {
    api_key: "sk-verysecret",
    base_url: "https://me:pw@models.example/v1?key=abc",
    plain_url: "http://127.0.0.1:8080/v1",
    max_tokens: 4096,
    headers: { "x-team": "blue" },
    nested: { Authorization: "Bearer abc", region: "eu" },
    opaque: "a1b2c3d4e5f6a7b8c9d0e1f2",
  }
  const shown = {
    api_key: "(hidden)",
    base_url: "https://models.example/v1 (hidden)",
    plain_url: "http://127.0.0.1:8080/v1",
    max_tokens: 4096,
    headers: "(hidden)",
    nested: { Authorization: "(hidden)", region: "eu" },
    opaque: "(hidden)",
  }
  const home = await homeWith(JSON.stringify({ providers: { p: options } }))

  const loaded = await loadConfig({ home, env: {} })
  const answer = await showConfig({ home, env: {} })

  expect(loaded.config.providers).toEqual({ p: options })
  expect(answer.config.providers).toEqual({ p: shown })
  expect(answer.values).toEqual(loaded.values)
  expect(JSON.stringify(answer)).not.toMatch(/verysecret|pw@|key=abc|blue|Bearer|a1b2c3/)
  expect(answer.values).toContainEqual({
    key: "providers.p.nested.Authorization",
    value: "(hidden)",
    origin: "config.jsonc:1",
  })
})
