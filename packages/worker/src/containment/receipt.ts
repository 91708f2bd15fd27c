import type { Containment } from "@harness/protocol"
import type { Captured } from "../processes/capture.ts"
import type { Ended } from "../processes/supervise.ts"
import { hintFor } from "./hints.ts"
import type { WorkerSandbox } from "./sandbox.ts"

/** What a receipt says about the containment of a process, once it has ended or while it runs. */
export function containmentOf(
  { provider, policy }: WorkerSandbox,
  network: boolean,
  { end, captured }: { end?: Ended; captured: Captured },
): Containment {
  const contained = { sandbox: provider.name, network }
  if (provider.name === "off" || end === undefined || end.exitCode === 0) return contained

  const { root, temp, unixSockets } = policy
  const lasting = [root, temp]
  const hint = hintFor({ output: captured.preview, lasting, network, unixSockets })
  return { ...contained, ...(hint !== undefined && { hint }) }
}

/** Why a sandbox that ended without its command did so: `bwrap: Can't mount proc on /newroot/proc`. */
export function sandboxProblem({ preview }: Captured): string {
  const said = preview.trim()
  return `its sandbox did not start it: ${said === "" ? "it does not say why" : said}`
}
