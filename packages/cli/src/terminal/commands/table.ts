import type { SlashCommand } from "../contracts.ts"

/** What a person can say with a slash. */
export const slashCommands: readonly SlashCommand[] = [
  {
    name: "quit",
    arguments: "",
    description: "leave; nothing is left running",
    run: async (_rest, terminal) => terminal.leave(),
  },
  {
    name: "cost",
    arguments: "",
    description: "the step table",
    run: async (_rest, terminal) => terminal.print({ type: "table", rows: terminal.steps() }),
  },
]
