import type { JsonObject, Rule } from "@harness/protocol"
import type { ProposedAction } from "@harness/sdk"
import { expect, test } from "vitest"
import { createLineReader } from "../../src/policy/command-line/line-reader.ts"
import { offeredPrefix } from "../../src/policy/offered-prefix.ts"
import { createPolicy } from "../../src/policy/policy.ts"

const root = "/home/jo/shop"

function action(name: string, effect: ProposedAction["effect"], input: JsonObject): ProposedAction {
  const origin = { type: "call" as const, call_id: "c1" }
  return { environment: "project", action: name, effect, input, permits: [], origin }
}
const command = (line: string | string[], more: JsonObject = {}) =>
  action("run_command", "execute", { command: line, ...more })

function gate(saved: readonly Rule[] = [], rules: readonly Rule[] = []) {
  const approvals = saved.map((rule, at) => ({
    id: `s${at + 1}`,
    rule,
    at: "2026-11-30T00:00:00Z",
    conversation: "c",
  }))
  const options = { mode: "gate" as const, policies: [], root, timeoutMs: 50 }
  return createPolicy({ ...options, rules, approvals: { list: async () => approvals } })
}
const decided = (policy: ReturnType<typeof gate>, asked: ProposedAction) =>
  policy.decide(asked, { programApproved: false })
async function offered(asked: ProposedAction, saved?: readonly Rule[], rules?: readonly Rule[]) {
  const policy = gate(saved, rules)
  return policy.offer(asked, await decided(policy, asked))
}
const allow = (line: string): Rule => ({ verdict: "allow", command: line })

test("a compound command that was approved does not let another removal run: it asks", async () => {
  const { offer } = await offered(command("npm run build && npm test"))
  expect(offer).toEqual({
    rules: [allow("npm run build"), allow("npm test")],
    uncovered: ["npm run build", "npm test"],
  })

  const policy = gate(offer?.rules)
  expect(await decided(policy, command("npm test && npm run build"))).toEqual({
    verdict: "allow",
    rule: "approval:s2 + approval:s1",
    reason: null,
  })
  for (const line of [
    "npm test && rm -rf b",
    "npm test; rm -rf b",
    "npm test | rm -rf b",
    "npm test $(rm -rf b)",
    "npm test\nrm -rf b",
    "npm test > b",
    "PATH=. npm test && npm test",
    "npm() { rm -rf b; }; npm test",
  ]) {
    const asked = await decided(policy, command(line))
    expect([line, asked.verdict, asked.rule]).toEqual([line, "ask", "mode:gate"])
  }
  expect(await offered(command("npm test && rm -rf b"), offer?.rules)).toEqual({
    uncovered: ["rm -rf b"],
  })
})

test("rules that deny or ask find their command in any part of a line that is allowed otherwise", async () => {
  const rules: Rule[] = [{ verdict: "deny", command: "git push" }, allow("npm test"), allow("git")]
  const policy = gate([allow("git push")], rules)
  expect(await decided(policy, command("npm test && git status"))).toEqual({
    verdict: "allow",
    rule: "rule:2 + rule:3",
    reason: null,
  })
  for (const line of ["npm test && git push", "git 'push'", "git status; (git push)"]) {
    expect([line, await decided(policy, command(line))]).toEqual([
      line,
      { verdict: "deny", rule: "rule:1", reason: null },
    ])
  }
})

test("what was saved lets run what would be asked, and opens no permit", async () => {
  const policy = gate([{ verdict: "allow", effect: "write", path: "src/**" }])
  const write = action("write_file", "write", { path: "src/a.key", text: "" })
  expect(await decided(policy, write)).toEqual({
    verdict: "allow",
    rule: "approval:s1",
    reason: null,
  })
  const permits = [{ permit: "secret_file" as const, reason: "it holds secrets" }]
  expect(await decided(policy, { ...write, permits })).toMatchObject({ verdict: "ask" })
  expect(await policy.offer({ ...write, permits }, await decided(policy, write))).toEqual({})
})

test("a rule of the configuration that asks is not saved away, and no such rule is offered", async () => {
  const rules: Rule[] = [{ verdict: "ask", command: "npm test" }]
  const policy = gate([allow("npm test")], rules)
  expect(await decided(policy, command("npm test"))).toMatchObject({ verdict: "ask" })
  expect(await offered(command("npm test"), [], rules)).toEqual({})
})

test.each<[ProposedAction, Rule[] | undefined]>([
  [command("npm test -- -w"), [allow("npm test")]],
  [command(["git", "status"]), [allow("git status")]],
  [command("git commit -m 'a b'"), [allow("git commit")]],
  [command("npm test", { env: { PATH: "." } }), undefined],
  [command(["sh", "-c", "npm test"]), undefined],
  [command("curl x | sh"), undefined],
  [command("npm test > log"), undefined],
  [command("$X"), undefined],
  [command("npm\u00a0test"), undefined],
  [
    action("write_file", "write", { path: "./src/a/b.ts" }),
    [{ verdict: "allow", effect: "write", path: "src/a/**" }],
  ],
  [
    action("write_file", "write", { path: "a.md" }),
    [{ verdict: "allow", effect: "write", path: "a.md" }],
  ],
  [action("write_file", "write", { path: "../a.md" }), undefined],
  [action("write_file", "write", { path: "a[1].md" }), undefined],
  [
    action("cancel_process", "execute", { id: "p1" }),
    [{ verdict: "allow", action: "cancel_process" }],
  ],
])("offers the narrowest rules that let its like run: %#", async (asked, rules) => {
  const { offer } = await offered(asked)
  expect(offer?.rules).toEqual(rules)
  if (rules) expect(await decided(gate(rules), asked)).toMatchObject({ verdict: "allow" })
})

test.each([
  ["npm run build --watch", "npm run build"],
  ["cargo build --release", "cargo build"],
  ["pytest -x tests", "pytest"],
  ["python3 -m pytest tests", "python3 -m pytest"],
  ["node scripts/gen.mjs", "node scripts/gen.mjs"],
  ["./gradlew test", "./gradlew"],
  ["bun run build", "bun run build"],
  ["deno run x.ts", "deno run x.ts"],
  ["pip install x", "pip install"],
  ["deno eval x", null],
  ["cargo run", null],
  ["gh pr merge", null],
  ["git", null],
  ["git -C x push", null],
  ["git reset --hard", null],
  ["npm exec x", null],
  ["python3 -c x", null],
  ["node -e x", null],
  ["bash", null],
  ["/bin/rm x", null],
  ["sudo ls", null],
  ["xargs rm", null],
  ["find . -delete", null],
])("of %j the rule would name %j", (line, prefix) => {
  expect(offeredPrefix(line.split(" "))).toBe(prefix)
})

test("what a person writes is refused where a rule denies it, or a permit was not asked for", async () => {
  const policy = gate([], [{ verdict: "deny", command: "git push" }])
  expect(await policy.refusal(command("npm ci && rm -rf b"), [])).toBeNull()
  expect(await policy.refusal(command("npm ci && git push"), [])).toBe("rule:1 denies it")
  const permits = [{ permit: "network" as const, reason: "to install" }]
  expect(await policy.refusal({ ...command("npm ci"), permits }, [])).toBe(
    "it needs leave that was not asked for: to install",
  )
  expect(await policy.refusal({ ...command("npm ci"), permits }, ["network"])).toBeNull()
})

test("without a grammar no compound line is known, and simple ones are as ever", async () => {
  const reader = createLineReader(async () => {
    throw new Error("no such file")
  })
  expect(await reader.read({ command: "a && b" })).toBeNull()
  expect(await reader.read({ command: "a b" })).toBeNull()
})
