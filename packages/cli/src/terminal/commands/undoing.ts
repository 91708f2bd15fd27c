import { isDeepStrictEqual } from "node:util"
import type { CommandAnswer } from "@harness/protocol"
import { ask } from "../../ask.ts"
import { canBeUndone, undoneSummary, undoneText } from "../../text/undo.ts"
import type { SlashCommand, TerminalCommands } from "../contracts.ts"
import { requireIdle, say, turnIn } from "./saying.ts"

type Undo = Extract<CommandAnswer, { type: "undo" }>

/** `/undo`: shows which files go back to what they were; `/undo yes` does what was shown. */
export function undoCommand(): SlashCommand {
  let shown: { turn: { turn?: number }; files: Undo["files"] } | undefined

  async function show(turn: { turn?: number }, terminal: TerminalCommands): Promise<void> {
    const { kernel, conversation } = terminal
    const planned = await ask(kernel, { type: "undo", conversation, ...turn, shown_seq: null })
    shown = undefined
    if (!planned.files.some(canBeUndone)) return tell(planned, terminal)

    shown = { turn, files: planned.files }
    print(undoneText(planned), terminal)
    say(terminal, "/undo yes does it. What runs in the background ends with it.", "warning")
  }

  /**
   * An undo writes the log of a conversation that nobody has open: it is closed for it and taken up
   * again, whereby the model is told which files are others now.
   */
  async function carryOut(terminal: TerminalCommands): Promise<void> {
    const { kernel, conversation } = terminal
    const meant = shown
    if (meant === undefined) return say(terminal, "/undo shows first what would be done", "warning")
    shown = undefined
    await ask(kernel, { type: "close", conversation })
    try {
      const command = { type: "undo" as const, conversation, ...meant.turn }
      const planned = await ask(kernel, { ...command, shown_seq: null })
      if (isDeepStrictEqual(planned.files, meant.files)) {
        tell(await ask(kernel, { ...command, shown_seq: planned.seq }), terminal)
      } else {
        say(
          terminal,
          "what would be done is no longer what was shown: nothing was undone",
          "warning",
        )
      }
    } finally {
      terminal.goTo(conversation)
    }
  }

  return {
    name: "undo",
    arguments: "[turn]",
    description: "put files back to what they were; shows first what it would do",
    complete: async () =>
      shown === undefined ? [] : [{ value: "yes", note: "does what was shown" }],
    run: async (rest, terminal) => {
      requireIdle("undo", terminal)
      if (rest.trim() === "yes") return carryOut(terminal)
      const turn = turnIn(rest, "undo")
      await show(turn === undefined ? {} : { turn }, terminal)
    },
  }
}

function tell(undone: Undo, terminal: TerminalCommands): void {
  print(undoneText(undone), terminal)
  say(terminal, undoneSummary(undone.files), "plain")
}

function print(text: string, terminal: TerminalCommands): void {
  terminal.print({ type: "lines", lines: text.trimEnd().split("\n") })
}
