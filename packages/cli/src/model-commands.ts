import { type Command, Option } from "commander"
import { date, notEmpty } from "./arguments.ts"
import type { StatsOptions } from "./commands/stats.ts"
import type { Invocation } from "./invocation.ts"

/** Commands about models, their keys and what they cost. */
export const modelCommandNames = ["models", "stats"]

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

  program
    .command("stats")
    .description("print what was spent: tokens, cost and time, summed over all conversations")
    .addOption(
      new Option("--by <group>", "what to sum by")
        .choices(["day", "model", "project"])
        .default("day"),
    )
    .option("--since <date>", "only what happened since that day (UTC): 2026-11-30", date)
    .option("--json", "print it as JSON")
    .action(async (options: StatsOptions) => {
      const { stats } = await import("./commands/stats.ts")
      ended(await stats(options, invocation))
    })
}
