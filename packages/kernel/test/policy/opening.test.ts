// What opens a permit: a rule that speaks of it, or a person; nothing else.
import {
  ApproveMode,
  Effect,
  Permit,
  type PermitWanted,
  type Rule,
  type Verdict,
} from "@harness/protocol"
import { definePolicy, type ProposedAction } from "@harness/sdk"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createPolicy, type PolicyOptions } from "../../src/policy/policy.ts"

const origin = { type: "call" as const, call_id: "c1" }
const about = { environment: "project", origin }
const network: PermitWanted = { permit: "network", reason: "to install" }

const secret: ProposedAction = {
  ...about,
  action: "read_file",
  effect: "read",
  input: { path: ".env" },
  permits: [{ permit: "secret_file", reason: ".env holds secrets" }],
}
const hook: ProposedAction = {
  ...about,
  action: "write_file",
  effect: "write",
  input: { path: ".git/hooks/pre-commit", text: "" },
  permits: [{ permit: "control_file", reason: ".git/hooks/pre-commit makes the host run code" }],
}
const install: ProposedAction = {
  ...about,
  action: "run_command",
  effect: "execute",
  input: { command: "npm ci" },
  permits: [network],
}

function decide(
  action: ProposedAction,
  options: Partial<PolicyOptions>,
  { programApproved }: { programApproved: boolean } = { programApproved: false },
) {
  const defaults = { mode: "gate" as const, rules: [], policies: [], root: "/r", timeoutMs: 50 }
  return createPolicy({ ...defaults, ...options }).decide(action, { programApproved })
}

describe("without a rule", () => {
  test.each<[ApproveMode, boolean, ProposedAction, Verdict, string]>([
    ["gate", false, secret, "ask", "permit:secret_file"],
    ["gate", false, hook, "ask", "mode:gate"],
    ["programs", true, hook, "ask", "permit:control_file"],
    ["programs", true, install, "ask", "permit:network"],
    ["programs", true, secret, "ask", "permit:secret_file"],
    ["none", false, secret, "deny", "permit:secret_file"],
    ["none", false, hook, "deny", "permit:control_file"],
    ["none", false, install, "deny", "permit:network"],
    ["plan", false, secret, "deny", "permit:secret_file"],
    ["plan", false, hook, "deny", "mode:plan"],
  ])(
    "the mode %s (program approved: %s) decides %#",
    async (mode, programApproved, action, verdict, rule) => {
      expect(await decide(action, { mode }, { programApproved })).toMatchObject({ verdict, rule })
    },
  )

  test("a denial says what to do, and the rule that it names opens what was denied", async () => {
    for (const action of [secret, hook, install]) {
      const { reason } = await decide(action, { mode: "none" })
      const rule: Rule = JSON.parse(reason?.match(/\{.*\}$/)?.[0] ?? "")
      expect(await decide(action, { mode: "none", rules: [rule] })).toEqual({
        verdict: "allow",
        rule: "rule:1",
        reason: null,
      })
    }
    expect((await decide(secret, { mode: "none" })).reason).toBe(
      '.env holds secrets, and the mode none gives no leave for it. Do without, or tell the user that this rule in config.jsonc would allow it: {"verdict":"allow","permit":"secret_file","path":".env"}',
    )
    expect((await decide(install, { mode: "none" })).reason).toBe(
      'commands have no network, and the mode none gives no leave for it. Do without, or tell the user that this rule in config.jsonc would allow it: {"verdict":"allow","permit":"network","command":"npm ci"}',
    )
  })
})

test("each permit needs a rule of its own", async () => {
  const both: ProposedAction = { ...hook, permits: [...hook.permits, network] }
  const file: Rule = { verdict: "allow", permit: "control_file", path: ".git/hooks/*" }
  const online: Rule = { verdict: "allow", permit: "network" }
  const verdictOf = async (rules: Rule[]) => (await decide(both, { mode: "none", rules })).verdict
  expect(await verdictOf([file])).toBe("deny")
  expect(await verdictOf([online])).toBe("deny")
  expect(await verdictOf([file, online])).toBe("allow")
})

test("a rule that opens a permit leaves the rest to the mode", async () => {
  const rules: Rule[] = [{ verdict: "allow", permit: "network" }]
  expect(await decide(install, { rules })).toEqual({
    verdict: "ask",
    rule: "mode:gate",
    reason: null,
  })
  const approved = { programApproved: true }
  expect(await decide(install, { mode: "programs", rules }, approved)).toEqual({
    verdict: "allow",
    rule: "rule:1",
    reason: null,
  })
})

test("a rule that asks lets a person decide in the mode none", async () => {
  const rules: Rule[] = [{ verdict: "ask", permit: "network" }]
  expect(await decide(install, { mode: "none", rules })).toEqual({
    verdict: "ask",
    rule: "rule:1",
    reason: null,
  })
})

test("a package's ask opens nothing that the mode keeps shut", async () => {
  const asks = definePolicy({
    name: "asks",
    review: async () => ({ verdict: "ask", reason: "it says ask" }),
  })
  expect(await decide(install, { mode: "none", policies: [asks] })).toMatchObject({
    verdict: "deny",
    rule: "permit:network",
  })
  expect(await decide(install, { mode: "gate", policies: [asks] })).toMatchObject({
    verdict: "ask",
    rule: "policy:asks",
  })
})

test("a package sees what an action needs leave for", async () => {
  const seen: ProposedAction[] = []
  const sees = definePolicy({
    name: "sees",
    async review(action) {
      seen.push(action)
      return { verdict: "allow", reason: "" }
    },
  })
  await decide(install, { policies: [sees] })
  expect(seen).toEqual([install])
})

test("the command that the user named for verification has no permit for that", async () => {
  const verify: ProposedAction = { ...install, origin: { type: "verify" } }
  expect(await decide(verify, { mode: "none" })).toMatchObject({
    verdict: "deny",
    rule: "permit:network",
  })
})

describe("for any rules, mode, effect and permits", () => {
  const word = fc.constantFrom("npm", "git", "curl")
  const path = fc.constantFrom(".env", "a.pem", "src/.env", ".git/config", ".idea/x")
  const key = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
  const rule = (verdict: fc.Arbitrary<Verdict>): fc.Arbitrary<Rule> =>
    fc.record({
      verdict,
      effect: key(fc.constantFrom(...Effect.options)),
      action: key(fc.constantFrom("read_file", "run_command")),
      path: key(fc.oneof(path, fc.constantFrom("**", "*", "src/**"))),
      command: key(word),
      permit: key(fc.constantFrom(...Permit.options)),
    })
  const anyRule = rule(fc.constantFrom("allow", "ask", "deny"))
  const wanted = fc.record({ permit: fc.constantFrom(...Permit.options), reason: fc.string() })
  const action: fc.Arbitrary<ProposedAction> = fc.record({
    environment: fc.constant("project"),
    action: fc.constantFrom("read_file", "run_command"),
    effect: fc.constantFrom(...Effect.options),
    input: fc.record({ path, command: word }),
    permits: fc.uniqueArray(wanted, { minLength: 1, selector: each => each.permit }),
    origin: fc.constantFrom<ProposedAction["origin"][]>(origin, { type: "verify" }),
  })
  const mode = fc.constantFrom(...ApproveMode.options)
  const allOf = fc.record({ action, mode, programApproved: fc.boolean() })

  test("rules that name neither permit nor path allow nothing that needs a permit", async () => {
    const silent = anyRule.map(({ path: _, permit: __, ...rest }) => rest)
    await fc.assert(
      fc.asyncProperty(allOf, fc.array(silent), async (one, rules) => {
        const { verdict } = await decide(one.action, { mode: one.mode, rules }, one)
        expect(verdict).not.toBe("allow")
      }),
    )
  })

  test("a permit that no allow speaks of is never open", async () => {
    await fc.assert(
      fc.asyncProperty(allOf, fc.array(anyRule), async (one, rules) => {
        const { verdict } = await decide(one.action, { mode: one.mode, rules }, one)
        if (verdict !== "allow") return
        for (const { permit } of one.action.permits) {
          const speaks = rules.some(
            each =>
              each.verdict === "allow" &&
              (each.permit === permit || (each.path !== undefined && permit !== "network")),
          )
          expect([permit, speaks]).toEqual([permit, true])
        }
      }),
    )
  })

  test("a package's deny denies, and its ask never loosens", async () => {
    const strictness = { allow: 0, ask: 1, deny: 2 }
    const saying = (verdict: Verdict) =>
      definePolicy({ name: "p", review: async () => ({ verdict, reason: "" }) })
    await fc.assert(
      fc.asyncProperty(allOf, fc.array(anyRule), async (one, rules) => {
        const verdictWith = async (said: Verdict) =>
          (await decide(one.action, { mode: one.mode, rules, policies: [saying(said)] }, one))
            .verdict
        const alone = (await decide(one.action, { mode: one.mode, rules }, one)).verdict
        expect(await verdictWith("deny")).toBe("deny")
        expect(await verdictWith("allow")).toBe(alone)
        expect(strictness[await verdictWith("ask")]).toBe(Math.max(1, strictness[alone]))
      }),
    )
  })

  test("one more rule that denies never loosens, and the most specific deny always wins", async () => {
    await fc.assert(
      fc.asyncProperty(allOf, fc.array(anyRule), async (one, rules) => {
        const { action: each, effect, input, permits } = one.action
        const exact: Rule[] = permits.map(({ permit }) => ({
          verdict: "deny",
          permit,
          action: each,
          effect,
          path: String(input.path),
          command: String(input.command),
        }))
        for (const denying of exact) {
          const all = [...rules, denying]
          const { verdict } = await decide(one.action, { mode: one.mode, rules: all }, one)
          expect(verdict).toBe("deny")
        }
      }),
    )
  })
})
