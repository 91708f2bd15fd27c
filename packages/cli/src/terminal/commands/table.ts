import { ask } from "../../ask.ts"
import type { SlashCommand } from "../contracts.ts"
import { helpCommand } from "./help.ts"
import { keptCommands } from "./kept.ts"
import { lookingCommands } from "./looking.ts"
import { requireIdle, say } from "./saying.ts"
import { settingCommands } from "./settings.ts"
import { undoCommand } from "./undoing.ts"

/**
 * What a person can say with a slash, in the order of `/help`; of one terminal, for some remember
 * what was said before.
 */
export function slashCommands({ now = Date.now }: { now?: () => number } = {}): SlashCommand[] {
  const all: SlashCommand[] = [
    helpCommand(() => all),
    initCommand,
    ...settingCommands(),
    ...lookingCommands(now),
    undoCommand(),
    compactCommand,
    ...keptCommands(now),
    {
      name: "quit",
      arguments: "",
      description: "leave; nothing is left running",
      run: async (_rest, terminal) => terminal.leave(),
    },
  ]
  return all
}

const initCommand: SlashCommand = {
  name: "init",
  arguments: "",
  description: "let the model write AGENTS.md",
  run: async (rest, terminal) => {
    const wish = rest.trim()
    terminal.send(wish === "" ? initTask : `${initTask}\n\n${wish}`)
  },
}

const initTask = `Write AGENTS.md at the root of this project: what an agent that works here must know and cannot see at a glance.

Look first: the README, the manifests, the scripts, the CI's configuration, the tests, and CLAUDE.md or other guidance that is there. Then write, in at most a page:
- the commands that build, test (all, and a single one), check and format, as they are really called here;
- how the code is laid out, and what depends on what;
- the conventions that its code keeps, and what is easily got wrong.

Only what you have seen in the project; nothing general. If AGENTS.md is there already, keep what holds and correct what does not.`

const compactCommand: SlashCommand = {
  name: "compact",
  arguments: "",
  description: "summarise what went before, so that there is room",
  run: async (_rest, terminal) => {
    requireIdle("compact", terminal)
    const { kernel, conversation } = terminal
    const { status, reason } = await ask(kernel, { type: "compact", conversation })
    // What it came to is told by the event that it makes.
    if (status === "nothing_to_do") say(terminal, reason ?? "there is nothing to summarise yet")
  },
}
