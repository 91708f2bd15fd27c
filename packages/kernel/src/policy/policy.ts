import type { ApproveMode, Rule, Verdict } from "@harness/protocol"
import type { PolicyDefinition, ProposedAction } from "@harness/sdk"
import type { Decision } from "./decision.ts"
import { review } from "./review.ts"
import { ruleFor } from "./rules.ts"

export interface Policy {
  readonly mode: ApproveMode
  /** `programApproved`: a person has approved the whole program that proposes the action. */
  decide(action: ProposedAction, options: { programApproved: boolean }): Promise<Decision>
}

export type PolicyOptions = {
  mode: ApproveMode
  rules: readonly Rule[]
  policies: readonly PolicyDefinition[]
  /** How long one policy may think. */
  timeoutMs: number
}

/**
 * Judges in this order: any deny denies; else a package's ask asks; else the most
 * specific rule of the user; else the mode. The mode `plan` is a deny, so that no rule loosens it.
 */
export function createPolicy({ mode, rules, policies, timeoutMs }: PolicyOptions): Policy {
  return {
    mode,
    async decide(action, { programApproved }) {
      const reviews = await Promise.all(
        policies.map(policy => review(policy, action, { timeoutMs })),
      )
      const denied = reviews.find(decision => decision.verdict === "deny")
      if (denied) return denied

      const changes = changesSomething(action)
      if (mode === "plan" && changes && action.origin.type !== "verify") {
        return { verdict: "deny", rule: "mode:plan", reason: "the mode plan only reads" }
      }

      const asked = reviews.find(decision => decision.verdict === "ask")
      if (asked) return asked
      if (action.origin.type === "verify") {
        return { verdict: "allow", rule: "verify", reason: "the user named this command" }
      }

      const rule = ruleFor(rules, action)
      if (rule) return { verdict: rule.verdict, rule: `rule:${rule.index}`, reason: null }
      return {
        verdict: changes ? verdictOf(mode, programApproved) : "allow",
        rule: `mode:${mode}`,
        reason: null,
      }
    },
  }
}

function changesSomething({ effect }: ProposedAction): boolean {
  return effect !== "read" && effect !== "observe"
}

function verdictOf(mode: ApproveMode, programApproved: boolean): Verdict {
  switch (mode) {
    case "none":
      return "allow"
    case "plan":
      return "deny"
    case "programs":
      return programApproved ? "allow" : "ask"
    case "gate":
      return "ask"
  }
}
