import { type CommandAnswer, failure, type KernelCommand } from "@harness/protocol"
import type { KernelOptions } from "./context.ts"

type ExistingCommand = Extract<
  KernelCommand,
  { type: "audit" | "changes" | "undo" | "redact" | "gc" }
>

/** Carries out what is asked about conversations that exist, open or not. */
export function existingConversations(
  _options: KernelOptions,
): (command: ExistingCommand) => Promise<CommandAnswer> {
  return async command => {
    throw failure("command_invalid", { command: command.type, reason: "it is being built" })
  }
}
