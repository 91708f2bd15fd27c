import type { Verdict } from "@harness/protocol"

/**
 * The verdict on an action and what gave it: `mode:gate`, `rule:2`, `permit:<name>`,
 * `policy:<name>`, `verify`.
 */
export type Decision = {
  verdict: Verdict
  rule: string
  /** Why, where there is more to say than the rule's name. */
  reason: string | null
}
