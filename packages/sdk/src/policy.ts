import type { Effect, JsonObject, Origin, PermitWanted, Verdict } from "@harness/protocol"
import { type Definition, define } from "./brand.ts"

/** An action that waits for a verdict. */
export type ProposedAction = {
  environment: string
  action: string
  effect: Effect
  input: JsonObject
  /** What it needs leave for beyond its effect; empty for most. */
  permits: readonly PermitWanted[]
  origin: Origin
}

export interface PolicyBody {
  readonly name: string
  /**
   * Asked once for each action, before it runs and in the order in which they were proposed.
   * `deny` denies; `ask` asks whatever the mode says; `allow` has no say (a package may tighten,
   * never loosen). If it throws, or has not answered after 5 seconds, the action is denied
   * with `policy_failed` (closed, not open).
   */
  review(action: ProposedAction, signal: AbortSignal): Promise<{ verdict: Verdict; reason: string }>
}

export type PolicyDefinition = PolicyBody & Definition<"policy">

export function definePolicy(body: PolicyBody): PolicyDefinition {
  return define("policy", body)
}
