import type { ApproveMode, HarnessFailure, PermitWanted, Rule, Verdict } from "@harness/protocol"
import type { PolicyDefinition, ProposedAction } from "@harness/sdk"
import type { Decision } from "./decision.ts"
import { permitDenied } from "./denial.ts"
import { namedPath } from "./permits.ts"
import { review } from "./review.ts"
import { type Judged, ruleFor, ruleForPermit } from "./rules.ts"

export interface Policy {
  readonly mode: ApproveMode
  /** `programApproved`: a person has approved the whole program that proposes the action. */
  decide(action: ProposedAction, options: { programApproved: boolean }): Promise<Decision>
}

export type PolicyOptions = {
  mode: ApproveMode
  rules: readonly Rule[]
  policies: readonly PolicyDefinition[]
  /** The real path of the folder: what paths of inputs are relative to. */
  root: string
  /** How long one policy may think. */
  timeoutMs: number
  /** Told of each policy that failed, besides the denial that says so. */
  onFailure?: (failed: HarnessFailure) => void
}

/**
 * The strictest of these decides: what each package says, what the user's rules and the mode say
 * about the action itself, and what they say about each permit that it needs. So any deny denies,
 * an ask of a package asks, and neither a package nor the approval of a program opens a permit.
 */
export function createPolicy(options: PolicyOptions): Policy {
  const { mode, rules, policies, root, timeoutMs, onFailure = () => {} } = options
  return {
    mode,
    async decide(action, { programApproved }) {
      const reviews = await Promise.all(
        policies.map(policy => review(policy, action, { timeoutMs, onFailure })),
      )
      const judged = { ...action, path: namedPath(action.input, root) }
      const own = aboutAction(judged, programApproved)
      const permits = action.permits.map(wanted => aboutPermit(judged, wanted))

      const held = strictest([...reviews, own, ...permits])
      // What lets it run: the permits are what is remarkable about it, and reviews have no say.
      return held.verdict === "allow" ? (permits[0] ?? own) : held
    },
  }

  function aboutAction(action: Judged, programApproved: boolean): Decision {
    const changes = changesSomething(action)
    if (action.origin.type === "verify") {
      return { verdict: "allow", rule: "verify", reason: "the user named this command" }
    }
    if (mode === "plan" && changes) {
      return { verdict: "deny", rule: "mode:plan", reason: "the mode plan only reads" }
    }
    const rule = ruleFor(rules, action)
    if (rule) return { verdict: rule.verdict, rule: `rule:${rule.index}`, reason: null }
    const verdict = changes ? verdictOf(mode, programApproved) : "allow"
    return { verdict, rule: `mode:${mode}`, reason: null }
  }

  function aboutPermit(action: Judged, wanted: PermitWanted): Decision {
    const rule = ruleForPermit(rules, action, wanted.permit)
    if (rule) return { verdict: rule.verdict, rule: `rule:${rule.index}`, reason: null }
    if (mode === "gate" || mode === "programs") {
      return { verdict: "ask", rule: `permit:${wanted.permit}`, reason: null }
    }
    return permitDenied(action, wanted, mode)
  }
}

/** The first of the strictest; there is always at least what the user says. */
function strictest(decisions: readonly Decision[]): Decision {
  return decisions.reduce((held, next) => (order[next.verdict] > order[held.verdict] ? next : held))
}

const order: Record<Verdict, number> = { allow: 0, ask: 1, deny: 2 }

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
