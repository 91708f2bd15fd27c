import { resolve } from "node:path"
import type { SavedApproval } from "@harness/protocol"
import { ask } from "../ask.ts"
import type { Invocation } from "../invocation.ts"
import { columnsOf } from "../text/columns.ts"
import { ruleInWords } from "../text/rules.ts"
import { visible } from "../text/visible.ts"
import { oneLine } from "../text/width.ts"
import { withKernel } from "./with-kernel.ts"

type Options = { folder?: string }

/** `harness approvals list`: what a person allowed for the project in a folder. */
export function listApprovals(
  { folder = ".", json }: Options & { json?: true },
  invocation: Invocation,
): Promise<number> {
  return withKernel(invocation, async kernel => {
    const wanted = resolve(invocation.cwd, folder)
    const { approvals } = await ask(kernel, { type: "approvals", folder: wanted })
    const text = json ? `${JSON.stringify(approvals, null, 2)}\n` : tableOf(approvals)
    invocation.stdout.write(text)
    return 0
  })
}

/** `harness approvals revoke`: from now on it is asked about again, also where a conversation is open. */
export function revokeApproval(
  approval: string,
  { folder = "." }: Options,
  invocation: Invocation,
): Promise<number> {
  return withKernel(invocation, async kernel => {
    const wanted = resolve(invocation.cwd, folder)
    const revoked = await ask(kernel, { type: "revoke", folder: wanted, approval })
    invocation.stdout.write(visible(`revoked ${ruleInWords(revoked.approval.rule)}\n`))
    return 0
  })
}

function tableOf(approvals: readonly SavedApproval[]): string {
  if (approvals.length === 0) return "nothing is allowed for good\n"
  const rows = approvals.map(({ id, rule, at, conversation }) => [
    id,
    ruleInWords(rule),
    at.slice(0, 10),
    `conversation ${conversation}`,
  ])
  return visible(columnsOf(rows.map(row => row.map(oneLine))))
}
