import type { Rule } from "@harness/protocol"
import { definePolicy, type PolicyDefinition } from "@harness/sdk"
import { namedPath } from "./permits.ts"
import { ruleFor } from "./rules.ts"

/**
 * The rules of a trusted project, as a policy: of its own rules the most specific decides, and that
 * can tighten what the user's rules and the mode say, never loosen it. Rules are numbered as they
 * stand in `.harness/config.jsonc`.
 */
export function projectPolicy(rules: readonly Rule[], root: string): PolicyDefinition {
  return definePolicy({
    name: ".harness/config.jsonc",
    async review(action) {
      const rule = ruleFor(rules, { ...action, path: namedPath(action.input, root) })
      if (rule === null) return { verdict: "allow", reason: "no rule of the project" }
      const reason = `rule ${rule.index} of the project`
      return { verdict: rule.verdict, reason }
    },
  })
}
