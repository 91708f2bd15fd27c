import type {
  ApproveMode,
  HarnessFailure,
  Permit,
  PermitWanted,
  Rule,
  Verdict,
} from "@harness/protocol"
import type { PolicyDefinition, ProposedAction } from "@harness/sdk"
import type { Approvals } from "./approvals.ts"
import type { CommandLine } from "./command-line/commands-in.ts"
import { createLineReader } from "./command-line/line-reader.ts"
import type { Decision } from "./decision.ts"
import { permitDenied } from "./denial.ts"
import type { Offered } from "./offer.ts"
import { namedPath } from "./permits.ts"
import { review } from "./review.ts"
import { type Judged, ruleForPermit } from "./rules.ts"
import { saidOf } from "./user-rules.ts"

export interface Policy {
  readonly mode: ApproveMode
  /** The mode from here on. */
  approveBy(mode: ApproveMode): void
  /** `programApproved`: a person has approved the whole program that proposes the action. */
  decide(action: ProposedAction, options: { programApproved: boolean }): Promise<Decision>
  /** What can be allowed for good where this decision asks; what a package asks is asked always. */
  offer(action: ProposedAction, decision: Decision): Promise<Offered>
  /**
   * Why what a person wrote in the place of a proposal may not run, in words; null when it may. It
   * counts as approved: only what denies it counts, and a permit that they were not asked for.
   */
  refusal(action: ProposedAction, asked: readonly Permit[]): Promise<string | null>
}

export type PolicyOptions = {
  mode: ApproveMode
  rules: readonly Rule[]
  /** What a person allowed at the gate; it lets run what would be asked, and nothing that is denied. */
  approvals?: Pick<Approvals, "list">
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
  const { rules, policies, root, timeoutMs, onFailure = () => {} } = options
  let { mode } = options
  const lines = createLineReader()

  function reviewsOf(action: ProposedAction): Promise<Decision[]> {
    return Promise.all(policies.map(policy => review(policy, action, { timeoutMs, onFailure })))
  }

  return {
    get mode() {
      return mode
    },
    approveBy(next) {
      mode = next
    },
    async decide(action, { programApproved }) {
      const reviews = await reviewsOf(action)
      const judged = judgedOf(action)
      const own = await aboutAction(judged, programApproved)
      const permits = action.permits.map(wanted => aboutPermit(judged, wanted))

      const held = strictest([...reviews, own, ...permits])
      // Who would be asked is who runs it.
      if (action.origin.type === "user" && held.verdict === "ask") return own
      // What lets it run: the permits are what is remarkable about it, and reviews have no say.
      return held.verdict === "allow" ? (permits[0] ?? own) : held
    },

    async offer(action, { rule }) {
      if (rule.startsWith("policy:") || options.approvals === undefined) return {}
      const judged = judgedOf(action)
      const known = { rules, approvals: await options.approvals.list() }
      const { offerFor } = await import("./offer.ts")
      return offerFor(judged, await lines.read(action.input), known)
    },

    async refusal(action, asked) {
      const judged = judgedOf(action)
      const own = saidOf(judged, await lineOf(action), { rules, approvals: [] })
      const permits = action.permits.map(wanted => aboutPermit(judged, wanted))
      const denial = [
        ...(await reviewsOf(action)),
        ...(own === null ? [] : [{ verdict: own.verdict, rule: own.by, reason: null }]),
        ...permits,
      ].find(({ verdict }) => verdict === "deny")
      if (denial) return `${denial.rule} denies it${denial.reason ? `: ${denial.reason}` : ""}`

      const unasked = action.permits.find(
        ({ permit }, at) => permits[at]?.verdict === "ask" && !asked.includes(permit),
      )
      return unasked ? `it needs leave that was not asked for: ${unasked.reason}` : null
    },
  }

  function judgedOf(action: ProposedAction): Judged {
    return { ...action, path: namedPath(action.input, root) }
  }

  /** What a command line runs, where a rule speaks of commands. */
  async function lineOf({ input }: ProposedAction): Promise<CommandLine | null> {
    return rules.some(({ command }) => command !== undefined) ? lines.read(input) : null
  }

  async function aboutAction(action: Judged, programApproved: boolean): Promise<Decision> {
    const changes = changesSomething(action)
    if (action.origin.type === "verify") {
      return { verdict: "allow", rule: "verify", reason: "the user named this command" }
    }
    if (action.origin.type === "user") {
      const said = saidOf(action, null, { rules, approvals: [] })
      if (said?.verdict === "deny") return { verdict: "deny", rule: said.by, reason: null }
      return { verdict: "allow", rule: "user", reason: "the user runs this command" }
    }
    if (mode === "plan" && changes) {
      return { verdict: "deny", rule: "mode:plan", reason: "the mode plan only reads" }
    }
    const said = saidOf(action, await lineOf(action), { rules, approvals: [] })
    const verdict = said?.verdict ?? (changes ? verdictOf(mode, programApproved) : "allow")
    const saved = verdict === "ask" ? await allowedBefore(action) : null
    if (saved !== null) return { verdict: "allow", rule: saved, reason: null }
    return { verdict, rule: said?.by ?? `mode:${mode}`, reason: null }
  }

  /** The rules that let run what would be asked, with those that a person saved at the gate. */
  async function allowedBefore(action: Judged): Promise<string | null> {
    const approvals = (await options.approvals?.list()) ?? []
    if (approvals.length === 0) return null
    const line = await lines.read(action.input)
    const said = saidOf(action, line, { rules, approvals })
    return said?.verdict === "allow" ? said.by : null
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
