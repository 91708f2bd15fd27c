import { type CommandAnswer, failure, type KernelCommand } from "@harness/protocol"
import { auditConversation } from "./audit/audit.ts"
import type { KernelOptions } from "./context.ts"
import { findConversation } from "./conversation/find.ts"

type ExistingCommand = Extract<
  KernelCommand,
  { type: "audit" | "changes" | "undo" | "redact" | "gc" }
>

/** Carries out what is asked about conversations that exist, open or not. */
export function existingConversations({
  home,
}: KernelOptions): (command: ExistingCommand) => Promise<CommandAnswer> {
  return async command => {
    switch (command.type) {
      case "audit": {
        const report = await auditConversation(findConversation(home, command.conversation))
        return { type: "audit", report }
      }
      default:
        throw failure("command_invalid", { command: command.type, reason: "it is being built" })
    }
  }
}
