import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Config, defaultSecretFiles, Limits } from "@harness/protocol"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { loadConfig } from "../../src/config/load.ts"
import { parseProjectSettings } from "../../src/config/project.ts"
import { temporaryFolder, thrownBy } from "../support/temporary.ts"

const file = "/shop/.harness/config.jsonc"
const settingsOf = (content: object) => parseProjectSettings(file, JSON.stringify(content, null, 2))

/** What counts when the user's file says one thing and the project's another. */
async function counting(
  user: object,
  project: object,
  env: Record<string, string> = {},
): Promise<Awaited<ReturnType<typeof loadConfig>>> {
  const home = await temporaryFolder()
  await writeFile(join(home, "config.jsonc"), JSON.stringify(user))
  return loadConfig({ home, env, project: await settingsOf(project) })
}

test("a project's value goes before the user's file, after a variable, and says whence it is", async () => {
  const user = { model: "user/one", style: "tools", limits: { max_steps: 50 } }
  const project = { model: "project/one", style: "programs", limits: { max_steps: 20 } }

  const { config, values } = await counting(user, project, { HARNESS_STYLE: "tools" })

  expect(config).toEqual(
    Config.parse({ model: "project/one", style: "tools", limits: { max_steps: 20 } }),
  )
  expect(values.filter(({ origin }) => origin !== "default")).toEqual([
    { key: "model", value: "project/one", origin: ".harness/config.jsonc:2" },
    { key: "style", value: "tools", origin: "env HARNESS_STYLE" },
    { key: "limits.max_steps", value: 20, origin: ".harness/config.jsonc:5" },
  ])
})

describe("a project tightens", () => {
  test.each([
    ["approve", { approve: "none" }, { approve: "gate" }, { approve: "gate" }],
    ["approve that nobody set", {}, { approve: "programs" }, { approve: "programs" }],
    ["the sandbox", { sandbox: "off" }, { sandbox: "os" }, { sandbox: "os" }],
    ["the network", { network: true }, { network: false }, { network: false }],
    [
      "what commands may do",
      { containment: { unix_sockets: true, hide: ["~/a"] } },
      { containment: { unix_sockets: false, hide: ["~/b", "~/a"] } },
      { containment: { unix_sockets: false, hide: ["~/a", "~/b"] } },
    ],
    [
      "which files are secret",
      {},
      { secrets: { files: ["*.secret", ".env"] } },
      { secrets: { files: [...defaultSecretFiles, "*.secret"] } },
    ],
    ["a bound that was open", {}, { limits: { max_cost: 1 } }, { limits: { max_cost: 1 } }],
  ])("%s", async (_what, user, project, expected) => {
    expect((await counting(user, project)).config).toEqual(Config.parse(expected))
  })
})

describe("what would loosen counts for nothing", () => {
  test.each([
    ["a laxer approve", { approve: "gate" }, { approve: "programs" }],
    ["a limit that is raised", { limits: { max_cost: 1 } }, { limits: { max_cost: 2 } }],
    ["a limit that is taken away", { limits: { max_cost: 1 } }, { limits: { max_cost: null } }],
    ["a default that is raised", {}, { limits: { max_steps: 10_000 } }],
  ])("%s", async (_what, user, project) => {
    const { config, values } = await counting(user, project)
    expect(config).toEqual(Config.parse(user))
    expect(values.filter(({ origin }) => origin.startsWith(".harness"))).toEqual([])
  })
})

describe("what is the user's own to say is refused with its line", () => {
  test.each([
    ["providers", { providers: { x: { base_url: "http://evil" } } }, "is not a key that a project"],
    ["environment", { environment: { allow: ["TOKEN"] } }, "is not a key that a project can set"],
    ["models", { models: { "a/b": { price: { input: 0, output: 0 } } } }, "is not a key that a"],
    ["sandbox", { sandbox: "off" }, "a project cannot take the sandbox away"],
    ["network", { network: true }, "a project cannot open the network"],
    ["containment.debuggers", { containment: { debuggers: true } }, "a project cannot allow it"],
    [
      "limits.allow_unknown_price",
      { limits: { allow_unknown_price: true } },
      "a project cannot allow it",
    ],
    ["secrets.files[0]", { secrets: { files: ["!.env"] } }, "a project cannot take a file out"],
    ["rules[0].verdict", { rules: [{ verdict: "allow" }] }, "a project can only ask or deny"],
  ])("%s", async (key, content, reason) => {
    const error = await thrownBy(() => settingsOf(content))
    expect(error).toMatchObject({
      code: "config_invalid",
      details: { file, key, line: expect.any(Number), reason: expect.stringContaining(reason) },
    })
  })
})

test("a project's rules stand beside the user's and are not among them", async () => {
  const users = [{ verdict: "deny", effect: "write" }]
  const rules = [{ verdict: "ask", path: "docs/**" }]

  const loaded = await counting({ rules: users }, { rules })

  expect(loaded.config.rules).toEqual(users)
  expect(loaded.projectRules).toEqual(rules)
  expect(loaded.values.filter(({ key }) => key === "rules")).toEqual([
    { key: "rules", value: users, origin: "config.jsonc:1" },
    { key: "rules", value: rules, origin: ".harness/config.jsonc:2" },
  ])
})

test("whatever both say, no limit is above the user's", async () => {
  const names = fc.constantFrom("max_steps", "max_cost", "max_tokens", "processes", "program_calls")
  const limits = fc.dictionary(names, fc.integer({ min: 1, max: 1_000 }))
  const bound = (value: number | boolean | null) => Number(value ?? Number.POSITIVE_INFINITY)

  await fc.assert(
    fc.asyncProperty(limits, limits, async (users, projects) => {
      const user = Config.parse({ limits: users })
      const { config } = await counting({ limits: users }, { limits: projects })
      for (const name of Limits.keyof().options) {
        expect(bound(config.limits[name])).toBeLessThanOrEqual(bound(user.limits[name]))
      }
    }),
    { numRuns: 50 },
  )
})
