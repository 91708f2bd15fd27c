import { type Command, Option } from "commander"
import { date, notEmpty } from "./arguments.ts"
import type { StatsOptions } from "./commands/stats.ts"
import type { Invocation } from "./invocation.ts"

/** Commands about models, their keys and what they cost. */
export const modelCommandNames = ["models", "login", "logout", "stats"]

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
    .command("login")
    .description("store a provider's key: typed at a prompt that does not show it, or piped in")
    .argument("<provider>", "whose key it is", notEmpty)
    .option("--file", "in a file of yours alone, also where there is a keychain")
    // Judged by the command: the parser would print what may be a key.
    .allowExcessArguments()
    .allowUnknownOption()
    .action(async (provider: string, options: { file?: true }, { args }: Command) => {
      const { login } = await import("./commands/login.ts")
      ended(await login(provider, { ...options, tooMany: args.length > 1 }, invocation))
    })

  program
    .command("logout")
    .description("remove a provider's stored key")
    .argument("<provider>", "whose key it is", notEmpty)
    .action(async (provider: string) => {
      const { logout } = await import("./commands/logout.ts")
      ended(await logout(provider, invocation))
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
