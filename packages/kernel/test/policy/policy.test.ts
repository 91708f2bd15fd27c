import type { ApproveMode, Rule } from "@harness/protocol"
import { definePolicy, type ProposedAction } from "@harness/sdk"
import { describe, expect, test } from "vitest"
import { createPolicy } from "../../src/policy/policy.ts"

const write: ProposedAction = {
  environment: "project",
  action: "write_file",
  effect: "write",
  input: { path: "src/a.ts", text: "" },
  permits: [],
  origin: { type: "call", call_id: "c1" },
}
const read: ProposedAction = { ...write, action: "read_file", effect: "read" }
const verify: ProposedAction = {
  ...write,
  action: "run_command",
  effect: "execute",
  input: { command: "npm test" },
  origin: { type: "verify" },
}

const saying = (verdict: "allow" | "ask" | "deny") =>
  definePolicy({
    name: `says-${verdict}`,
    review: async () => ({ verdict, reason: `it says ${verdict}` }),
  })

function policyOf(options: {
  mode: ApproveMode
  rules?: Rule[]
  policies?: ReturnType<typeof definePolicy>[]
}) {
  return createPolicy({ rules: [], policies: [], root: "/home/jo/shop", timeoutMs: 50, ...options })
}

describe("the mode decides when nothing else does", () => {
  const cases: [ApproveMode, boolean, string][] = [
    ["gate", false, "ask"],
    ["gate", true, "ask"],
    ["programs", false, "ask"],
    ["programs", true, "allow"],
    ["none", false, "allow"],
    ["plan", false, "deny"],
  ]
  for (const [mode, programApproved, verdict] of cases) {
    test(`in ${mode} a write is ${verdict} when the program is ${programApproved ? "" : "not "}approved`, async () => {
      const decision = await policyOf({ mode }).decide(write, { programApproved })
      expect({ verdict: decision.verdict, rule: decision.rule }).toEqual({
        verdict,
        rule: `mode:${mode}`,
      })
    })
    test(`in ${mode} a read proceeds`, async () => {
      const decision = await policyOf({ mode }).decide(read, { programApproved })
      expect(decision).toEqual({ verdict: "allow", rule: `mode:${mode}`, reason: null })
    })
  }
})

test("a package's deny denies although a rule of the user allows", async () => {
  const policy = policyOf({
    mode: "none",
    rules: [{ verdict: "allow", action: "write_file" }],
    policies: [saying("ask"), saying("deny")],
  })
  expect(await policy.decide(write, { programApproved: false })).toEqual({
    verdict: "deny",
    rule: "policy:says-deny",
    reason: "it says deny",
  })
})

test("a package's ask asks although a rule of the user allows", async () => {
  const policy = policyOf({
    mode: "none",
    rules: [{ verdict: "allow", action: "write_file" }],
    policies: [saying("ask")],
  })
  expect(await policy.decide(write, { programApproved: false })).toEqual({
    verdict: "ask",
    rule: "policy:says-ask",
    reason: "it says ask",
  })
})

test("a package's allow loosens nothing", async () => {
  const policy = policyOf({ mode: "gate", policies: [saying("allow")] })
  expect(await policy.decide(write, { programApproved: false })).toEqual({
    verdict: "ask",
    rule: "mode:gate",
    reason: null,
  })
})

test("a package's ask does not soften what a rule of the user denies", async () => {
  const policy = policyOf({
    mode: "gate",
    rules: [{ verdict: "deny", action: "write_file" }],
    policies: [saying("ask")],
  })
  expect(await policy.decide(write, { programApproved: false })).toEqual({
    verdict: "deny",
    rule: "rule:1",
    reason: null,
  })
})

test("no rule of the user loosens the mode plan", async () => {
  const policy = policyOf({ mode: "plan", rules: [{ verdict: "allow", action: "write_file" }] })
  expect(await policy.decide(write, { programApproved: true })).toEqual({
    verdict: "deny",
    rule: "mode:plan",
    reason: "the mode plan only reads",
  })
})

test("the command that the user named for verification proceeds in every mode", async () => {
  for (const mode of ["gate", "programs", "none", "plan"] as const) {
    expect(await policyOf({ mode }).decide(verify, { programApproved: false })).toEqual({
      verdict: "allow",
      rule: "verify",
      reason: "the user named this command",
    })
  }
})

test("a policy that throws denies and is named", async () => {
  const broken = definePolicy({
    name: "broken",
    review: async () => {
      throw new Error("no such file")
    },
  })
  expect(
    await policyOf({ mode: "none", policies: [broken] }).decide(write, { programApproved: false }),
  ).toEqual({
    verdict: "deny",
    rule: "policy:broken",
    reason:
      "The policy broken failed while it judged write_file: no such file. The action was denied.",
  })
})

test("a policy that hangs denies after its time", async () => {
  const silent = definePolicy({ name: "silent", review: () => new Promise(() => {}) })
  expect(
    await policyOf({ mode: "none", policies: [silent] }).decide(write, { programApproved: false }),
  ).toEqual({
    verdict: "deny",
    rule: "policy:silent",
    reason:
      "The policy silent failed while it judged write_file: it did not answer within 50 ms. The action was denied.",
  })
})
