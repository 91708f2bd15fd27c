import type { JsonObject, Rule } from "@harness/protocol"
import type { ProposedAction } from "@harness/sdk"
import { expect, test } from "vitest"
import { ruleFor } from "../../src/policy/rules.ts"

function action(name: string, effect: ProposedAction["effect"], input: JsonObject): ProposedAction {
  return {
    environment: "project",
    action: name,
    effect,
    input,
    origin: { type: "call", call_id: "c1" },
  }
}
const command = (line: string | string[]) => action("run_command", "execute", { command: line })

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
  expect(ruleFor(rules, action("write_file", "write", { path: "src/../package.json" }))).toBeNull()
})

test("an allow covers a command by whole words and only when nothing else runs with it", () => {
  const rules: Rule[] = [{ verdict: "allow", command: "npm test" }]
  const allowed = { verdict: "allow", index: 1 }
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
