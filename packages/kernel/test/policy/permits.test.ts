import { defaultSecretFiles, type Effect, type JsonObject } from "@harness/protocol"
import { type AnyAction, defineAction, z } from "@harness/sdk"
import { expect, test } from "vitest"
import { namedPath, permitsWanted } from "../../src/policy/permits.ts"

const guarded = { root: "/home/jo/shop", secretFiles: defaultSecretFiles, network: false }

function actionOf(effect: Effect, permits?: AnyAction["permits"]): AnyAction {
  const action = defineAction({
    name: "touch",
    description: "Touches a file.",
    effect,
    returns: "{}",
    input: z.looseObject({}),
    run: async () => ({}),
  })
  return { ...action, ...(permits && { permits }) }
}

function wantedBy(effect: Effect, input: JsonObject) {
  const wanted = permitsWanted(actionOf(effect), input, guarded)
  return wanted.status === "known" ? wanted.permits : wanted
}

const hooks = { permit: "control_file", reason: ".git/hooks/pre-commit makes the host run code" }
const secrets = { permit: "secret_file", reason: ".env holds secrets" }

test.each<[Effect, string, unknown[]]>([
  ["write", ".git/hooks/pre-commit", [hooks]],
  ["execute", ".git/hooks/pre-commit", [hooks]],
  ["interact", ".git/hooks/pre-commit", [hooks]],
  ["read", ".git/hooks/pre-commit", []],
  ["observe", ".git/hooks/pre-commit", []],
  ["write", "./a/..//.git/hooks/pre-commit", [hooks]],
  ["write", "/home/jo/shop/.git/hooks/pre-commit", [hooks]],
  ["read", ".env", [secrets]],
  ["write", ".env", [secrets]],
  ["read", "./.env/", [secrets]],
  ["read", ".env.example", []],
  ["write", "src/a.ts", []],
  [
    "write",
    ".harness/.env",
    [
      { permit: "control_file", reason: ".harness/.env makes the host run code" },
      { permit: "secret_file", reason: ".harness/.env holds secrets" },
    ],
  ],
])("a %s of %s needs leave for what the file is", (effect, path, permits) => {
  expect(wantedBy(effect, { path })).toEqual(permits)
})

test("a root below a folder of a control file's name makes its files none", () => {
  const inside = { ...guarded, root: "/home/jo/.idea/shop" }
  const input = { path: "/home/jo/.idea/shop/a.ts" }
  expect(permitsWanted(actionOf("write"), input, inside)).toEqual({ status: "known", permits: [] })
})

test("an input without a path names no file", () => {
  expect(wantedBy("write", { path: null })).toEqual([])
  expect(wantedBy("write", { file: ".env" })).toEqual([])
  expect(namedPath({ path: "/home/jo/shop" }, guarded.root)).toBe(".")
  expect(namedPath({ path: "/home/jo/shopping/a" }, guarded.root)).toBe("/home/jo/shopping/a")
})

test("what an action says is added once, and the network only where there is none", () => {
  const action = actionOf("execute", () => [
    { permit: "network", reason: "to install" },
    { permit: "network", reason: "again" },
    { permit: "secret_file", reason: "it is harmless" },
  ])
  expect(permitsWanted(action, { path: ".env" }, guarded)).toEqual({
    status: "known",
    permits: [secrets, { permit: "network", reason: "to install" }],
  })
  expect(permitsWanted(action, { path: ".env" }, { ...guarded, network: true })).toEqual({
    status: "known",
    permits: [secrets],
  })
})

test("an action that fails to say what it needs leave for is not known to need none", () => {
  const broken = actionOf("execute", () => {
    throw new Error("no such thing")
  })
  expect(permitsWanted(broken, {}, guarded)).toEqual({
    status: "unknown",
    reason: "touch failed to say what it needs leave for: no such thing",
  })
})

test("an action that says nonsense is not known to need nothing", () => {
  const nonsense: unknown = () => [{ permit: "everything", reason: "" }]
  const action: AnyAction = Object.assign(actionOf("execute"), { permits: nonsense })
  expect(permitsWanted(action, {}, guarded)).toMatchObject({ status: "unknown" })
})
