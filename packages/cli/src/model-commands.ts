import type { Command } from "commander"
import { notEmpty } from "./arguments.ts"
import type { Invocation } from "./invocation.ts"

/** Commands about models, their keys and what they cost. */
export const modelCommandNames = ["models"]

/** Adds them to the parser; each tells `ended` its exit code. */
export function modelCommands(
  program: Command,
  invocation: Invocation,
  ended: (code: number) => void,
): void {
  program
    .command("models")
    .description("list the models that the installed providers know, with windows and prices")
    .argument("[provider]", "of that provider alone", notEmpty)
    .option("--json", "print them as JSON")
    .action(async (provider: string | undefined, options: { json?: true }) => {
      const { models } = await import("./commands/models.ts")
      ended(await models(provider, options, invocation))
    })
}
