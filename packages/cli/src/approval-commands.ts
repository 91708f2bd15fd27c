import type { Command } from "commander"
import { notEmpty } from "./arguments.ts"
import type { Invocation } from "./invocation.ts"

/** Commands about what a person allowed at the gate. */
export const approvalCommandNames = ["approvals"]

/** Adds them to the parser; each tells `ended` its exit code. */
export function approvalCommands(
  program: Command,
  invocation: Invocation,
  ended: (code: number) => void,
): void {
  const approvals = program
    .command("approvals")
    .description("look at what you allowed at the gate, and take it back")

  approvals
    .command("list")
    .description("list what counts for the project in a folder")
    .option("--folder <folder>", "the project's folder (default: where you are)", notEmpty)
    .option("--json", "print them as JSON")
    .action(async (options: { folder?: string; json?: true }) => {
      const { listApprovals } = await import("./commands/approvals.ts")
      ended(await listApprovals(options, invocation))
    })

  approvals
    .command("revoke")
    .description("take one back: what it allowed is asked about again, at once")
    .argument("<id>", "as `harness approvals list` shows it", notEmpty)
    .option("--folder <folder>", "the project's folder (default: where you are)", notEmpty)
    .action(async (id: string, options: { folder?: string }) => {
      const { revokeApproval } = await import("./commands/approvals.ts")
      ended(await revokeApproval(id, options, invocation))
    })
}
