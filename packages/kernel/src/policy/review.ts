import { failure, type HarnessFailure } from "@harness/protocol"
import type { PolicyDefinition, ProposedAction } from "@harness/sdk"
import type { Decision } from "./decision.ts"

/** Asks one package's policy. It fails closed: a throw or a silence is a deny that says so. */
export async function review(
  policy: PolicyDefinition,
  action: ProposedAction,
  { timeoutMs, onFailure }: { timeoutMs: number; onFailure: (failed: HarnessFailure) => void },
): Promise<Decision> {
  const rule = `policy:${policy.name}`
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const { verdict, reason } = await Promise.race([policy.review(action, signal), silence(signal)])
    if (verdict === "allow" || verdict === "ask" || verdict === "deny") {
      return { verdict, rule, reason }
    }
    throw new Error(`it answered ${JSON.stringify(verdict)}`)
  } catch (error) {
    const reason = signal.aborted
      ? `it did not answer within ${timeoutMs} ms`
      : error instanceof Error
        ? error.message
        : String(error)
    const failed = failure("policy_failed", { policy: policy.name, action: action.action, reason })
    onFailure(failed)
    return { verdict: "deny", rule, reason: failed.message }
  }
}

function silence(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true })
  })
}
