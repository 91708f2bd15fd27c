import { Argument, type Command } from "commander"
import { type Shell, scripts, shells } from "./completion/scripts.ts"
import type { Exit, Invocation } from "./invocation.ts"
import { terminalCommand } from "./terminal-command.ts"

export const completionCommandNames = ["completion"]

/** Adds `harness completion`, and what its scripts ask. */
export function completionCommands(
  program: Command,
  invocation: Invocation,
  ended: (exit: Exit) => void,
): void {
  program
    .command("completion")
    .description("print the script that lets a shell complete harness: add it to its start")
    .addArgument(new Argument("<shell>", "the shell").choices(shells))
    .action((shell: Shell) => {
      invocation.stdout.write(scripts[shell])
    })

  program
    .command("complete", { hidden: true })
    .argument("[words...]")
    .allowUnknownOption()
    .action(async (words: string[]) => {
      const { complete } = await import("./completion/complete.ts")
      const { options } = terminalCommand(invocation, ended)
      ended(await complete(words, { program, options }, invocation))
    })
}
