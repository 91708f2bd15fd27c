import type { ApproveMode, PermitWanted } from "@harness/protocol"
import type { Decision } from "./decision.ts"
import { type Judged, ruleAllowing } from "./rules.ts"

/**
 * The denial of a permit that nobody can be asked for in this mode: it tells the model what it may
 * do, and the user which rule would allow it.
 */
export function permitDenied(
  action: Judged,
  { permit, reason }: PermitWanted,
  mode: ApproveMode,
): Decision {
  const why = permit === "network" ? "commands have no network" : reason
  const rule = JSON.stringify(ruleAllowing(action, permit))
  return {
    verdict: "deny",
    rule: `permit:${permit}`,
    reason: `${why}, and the mode ${mode} gives no leave for it. Do without, or tell the user that this rule in config.jsonc would allow it: ${rule}`,
  }
}
