import type { Effect, JsonObject, Permit, Rule } from "@harness/protocol"
import { describe, expect, test } from "vitest"
import { namedPath } from "../../src/policy/permits.ts"
import { type Judged, ruleAllowing, ruleFor, ruleForPermit } from "../../src/policy/rules.ts"

const root = "/home/jo/shop"

function action(
  name: string,
  effect: Effect,
  input: JsonObject,
  ...permits: readonly Permit[]
): Judged {
  return {
    path: namedPath(input, root),
    permits: permits.map(permit => ({ permit, reason: "" })),
    environment: "project",
    action: name,
    effect,
    input,
    origin: { type: "call", call_id: "c1" },
  }
}
const command = (line: string | string[], ...permits: Permit[]) =>
  action("run_command", "execute", { command: line }, ...permits)
const allowed = { verdict: "allow", index: 1 }

test("the most specific rule decides, wherever it stands", () => {
  const rules: Rule[] = [
    { verdict: "allow", path: "src/**" },
    { verdict: "deny", action: "write_file" },
    { verdict: "ask", effect: "write" },
  ]
  const write = (path: string) => ruleFor(rules, action("write_file", "write", { path }))
  expect(write("src/deep/a.ts")).toEqual({ verdict: "allow", index: 1 })
  expect(write("docs/a.md")).toEqual({ verdict: "deny", index: 2 })
  expect(ruleFor(rules, action("edit_file", "write", { path: "docs/a.md" }))).toEqual({
    verdict: "ask",
    index: 3,
  })
  expect(ruleFor(rules, action("read_file", "read", { path: "docs/a.md" }))).toBeNull()
})

test("of two equally specific rules the stricter one decides", () => {
  const rules: Rule[] = [
    { verdict: "allow", command: "npm" },
    { verdict: "deny", command: "npm" },
  ]
  expect(ruleFor(rules, command("npm publish"))).toEqual({ verdict: "deny", index: 2 })
})

test("a path that walks around is judged by where it leads", () => {
  const rules: Rule[] = [{ verdict: "allow", path: "src/**" }]
  const write = (path: string) => ruleFor(rules, action("write_file", "write", { path }))
  expect(write("src/../package.json")).toBeNull()
  expect(write(`${root}/src/a.ts`)).toEqual(allowed)
  expect(write("/home/jo/shop2/src/a.ts")).toBeNull()
  expect(write("./src//a.ts")).toEqual(allowed)
})

test("an allow of a glob finds no name with a dot before it, a deny does", () => {
  const read = (rules: Rule[], path: string) =>
    ruleFor(rules, action("read_file", "read", { path }))
  const paths = [".env", "src/.env", "src/.deep/a", "..a"]
  for (const path of paths) {
    expect([path, read([{ verdict: "allow", path: "**" }], path)]).toEqual([path, null])
    expect([path, read([{ verdict: "deny", path: "**" }], path)]).toEqual([
      path,
      { verdict: "deny", index: 1 },
    ])
  }
  expect(read([{ verdict: "allow", path: "src/.env" }], "src/.env")).toEqual(allowed)
})

test("an allow covers a command by whole words and only when nothing else runs with it", () => {
  const rules: Rule[] = [{ verdict: "allow", command: "npm test" }]
  expect(ruleFor(rules, command("npm test"))).toEqual(allowed)
  expect(ruleFor(rules, command("npm  test -- --watch"))).toEqual(allowed)
  expect(ruleFor(rules, command(["npm", "test", "a && b"]))).toEqual(allowed)
  for (const line of [
    "npm testing",
    "npm test && rm -rf b",
    "npm test; rm b",
    "npm test $(rm b)",
    "npm test `rm b`",
    "npm test > b",
    "npm test\nrm b",
    "echo npm test",
  ]) {
    expect([line, ruleFor(rules, command(line))]).toEqual([line, null])
  }
})

test("a deny finds its command in any part of a line", () => {
  const rules: Rule[] = [{ verdict: "deny", command: "git push" }]
  for (const line of [
    "git push",
    "npm test && git push origin",
    "(git push)",
    'sh -c "git push"',
  ]) {
    expect([line, ruleFor(rules, command(line))]).toEqual([line, { verdict: "deny", index: 1 }])
  }
  expect(ruleFor(rules, command("git pull"))).toBeNull()
})

describe("a rule with a permit", () => {
  const online: Rule = { verdict: "allow", permit: "network" }

  test("is about what needs that permit, and nothing else", () => {
    expect(ruleForPermit([online], command("npm ci", "network"), "network")).toEqual(allowed)
    expect(ruleForPermit([online], command("npm ci"), "network")).toBeNull()
    const denied: Rule = { verdict: "deny", permit: "network" }
    expect(ruleFor([denied], command("npm ci"))).toBeNull()
    expect(ruleFor([denied], command("npm ci", "network"))).toEqual({ verdict: "deny", index: 1 })
  })

  test("opens the permit and leaves the action to be asked about, unless it names what runs", () => {
    expect(ruleFor([online], command("npm ci", "network"))).toBeNull()
    expect(ruleFor([{ ...online, action: "run_command" }], command("npm ci", "network"))).toBeNull()
    expect(ruleFor([{ ...online, command: "npm ci" }], command("npm ci", "network"))).toEqual(
      allowed,
    )
  })

  test("is as specific as one with a path or a command, and with both more", () => {
    const rules: Rule[] = [
      { verdict: "ask", permit: "network" },
      { verdict: "allow", permit: "network", command: "npm ci" },
      { verdict: "allow", permit: "network", action: "run_command" },
    ]
    expect(ruleForPermit(rules, command("npm ci", "network"), "network")).toEqual({
      verdict: "allow",
      index: 2,
    })
    expect(ruleForPermit(rules, command("curl x", "network"), "network")).toEqual({
      verdict: "allow",
      index: 3,
    })
    const strict: Rule[] = [online, { verdict: "deny", command: "curl" }]
    expect(ruleForPermit(strict, command("curl x", "network"), "network")).toEqual({
      verdict: "deny",
      index: 2,
    })
  })
})

test("only an allow that names a permit, or the path of its file, opens it", () => {
  const key = action("read_file", "read", { path: "deploy/key.pem" }, "secret_file")
  const opening = (rule: Omit<Rule, "verdict">, subject: Judged, permit: Permit) =>
    ruleForPermit([{ verdict: "allow", ...rule }], subject, permit)

  expect(opening({}, key, "secret_file")).toBeNull()
  expect(opening({ effect: "read" }, key, "secret_file")).toBeNull()
  expect(opening({ action: "read_file" }, key, "secret_file")).toBeNull()
  expect(opening({ permit: "control_file" }, key, "secret_file")).toBeNull()
  expect(opening({ path: "deploy/*" }, key, "secret_file")).toEqual(allowed)
  expect(opening({ permit: "secret_file" }, key, "secret_file")).toEqual(allowed)

  const fetching = action("fetch", "execute", { path: "a", command: "curl x" }, "network")
  expect(opening({ path: "a" }, fetching, "network")).toBeNull()
  expect(opening({ command: "curl" }, fetching, "network")).toBeNull()
  expect(opening({ path: "a", permit: "network" }, fetching, "network")).toEqual(allowed)
})

test.each<[Judged, Permit, Omit<Rule, "verdict">]>([
  [action("read_file", "read", { path: "./.env" }, "secret_file"), "secret_file", { path: ".env" }],
  [command("npm  ci", "network"), "network", { command: "npm ci" }],
  [command(["npm", "ci"], "network"), "network", { command: "npm ci" }],
  [command("npm ci && npm test", "network"), "network", { action: "run_command" }],
  [command(["sh", "-c", "npm ci"], "network"), "network", { action: "run_command" }],
  [command(`npm ${"x".repeat(80)}`, "network"), "network", { action: "run_command" }],
  [
    action("read_file", "read", { path: "a[1].pem" }, "secret_file"),
    "secret_file",
    { action: "read_file" },
  ],
])("the rule that is named as a way allows what was denied: %#", (subject, permit, named) => {
  const rule = ruleAllowing(subject, permit)
  expect(rule).toEqual({ verdict: "allow", permit, ...named })
  expect(ruleForPermit([rule], subject, permit)).toEqual(allowed)
})
