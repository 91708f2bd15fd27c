import type { Verdict } from "@harness/protocol"

/** The verdict on an action and what gave it: `mode:gate`, `rule:2`, `policy:<name>`, `verify`. */
export type Decision = {
  verdict: Verdict
  rule: string
  /** Why, when a package or a rule said so. */
  reason: string | null
}
