import { columnsOf } from "../../text/columns.ts"
import { clipped } from "../../text/width.ts"
import type { SlashCommand } from "../contracts.ts"

/** `/help`: the commands and the keys. */
export function helpCommand(all: () => readonly SlashCommand[]): SlashCommand {
  return {
    name: "help",
    arguments: "",
    description: "what can be said and pressed",
    run: async (_rest, { print, theme, columns }) => {
      const commands = all().map(({ name, arguments: args, description }) => [
        `/${name} ${args}`.trimEnd(),
        description,
      ])
      const fitting = (rows: readonly (readonly string[])[]) =>
        columnsOf(rows)
          .trimEnd()
          .split("\n")
          .map(line => clipped(line, columns))
      const lines = [
        theme.strong("commands"),
        ...fitting(commands),
        "",
        theme.strong("lines and keys"),
        ...fitting(keys),
      ]
      print({ type: "lines", lines })
    },
  }
}

const keys = [
  ["@path", "a file of the project; Tab completes"],
  ["!command", "a command of your own, contained like the model's"],
  ["Enter", "sends; while the model works, at its next step"],
  ["Alt-Enter, Ctrl-J, \\ Enter", "a new line"],
  ["↑ ↓", "rows, then earlier messages; Ctrl-R searches them"],
  ["Ctrl-W K U, Ctrl-Y", "cut; put back"],
  ["Ctrl-_", "takes back what was typed"],
  ["Ctrl-G", "writes the line in $VISUAL or $EDITOR"],
  ["Esc", "ends the step, twice the turn"],
  ["Ctrl-O", "opens the last call, again the one before"],
  ["Ctrl-C", "clears the line, ends the turn, twice leaves"],
  ["Ctrl-Z", "stops harness until fg"],
]
