import type { RunningProcess } from "@harness/protocol"
import { ask } from "../../ask.ts"
import { grouped as byChange, notAllNamed, withDiffs } from "../../printers/changed-files.ts"
import { columnsOf } from "../../text/columns.ts"
import { ageOf } from "../../text/conversations.ts"
import { dollars, grouped } from "../../text/format.ts"
import { visible } from "../../text/visible.ts"
import { clipped, oneLine } from "../../text/width.ts"
import type { SlashCommand, TerminalCommands } from "../contracts.ts"
import type { Status } from "../view/view.ts"
import { say, sayTable, turnIn } from "./saying.ts"

/** `/diff`, `/cost`, `/environments`, `/processes`: what there is; nothing is changed by them. */
export function lookingCommands(now: () => number): SlashCommand[] {
  return [
    {
      name: "diff",
      arguments: "[turn]",
      description: "what was done to files",
      run: (rest, terminal) => showDiff(turnIn(rest, "diff"), terminal),
    },
    {
      name: "cost",
      arguments: "",
      description: "the steps, what they cost, and how full the window is",
      run: async (_rest, terminal) => {
        const rows = terminal.steps()
        if (rows.length > 0) terminal.print({ type: "table", rows })
        say(terminal, spentIn(terminal.view().status), "plain")
      },
    },
    {
      name: "environments",
      arguments: "",
      description: "where the conversation works",
      run: async (_rest, terminal) => {
        const { environments } = await opened(terminal)
        const rows = environments.map(({ kind, folder, processes }) => [
          kind,
          oneLine(visible(folder)),
          String(processes.length),
        ])
        table(terminal, [["kind", "folder", "processes"], ...rows])
      },
    },
    {
      name: "processes",
      arguments: "",
      description: "what runs in the background",
      run: async (_rest, terminal) => {
        const { environments } = await opened(terminal)
        const processes = environments.flatMap(each => each.processes)
        if (processes.length === 0) return say(terminal, "nothing runs")
        const rows = processes.map(process => processCells(process, now()))
        table(terminal, [["id", "age", "ready", "command"], ...rows])
      },
    },
  ]
}

async function showDiff(turn: number | undefined, terminal: TerminalCommands): Promise<void> {
  const { kernel, conversation, theme, print } = terminal
  const changes = await ask(kernel, {
    type: "changes",
    conversation,
    ...(turn !== undefined && { turn }),
  })
  const files = await withDiffs(kernel, changes.conversation, changes.files)
  for (const { heading, files: changed } of byChange(files)) {
    print({ type: "lines", lines: [theme.strong(heading)] })
    print(...changed.map(({ diff }) => ({ type: "diff" as const, text: diff })))
  }
  if (files.length === 0) say(terminal, "no file was changed")
  if (changes.truncated) say(terminal, notAllNamed)
}

function opened({ kernel, conversation }: TerminalCommands) {
  return ask(kernel, { type: "environments", conversation })
}

function processCells({ id, command, started_at, ready }: RunningProcess, nowMs: number): string[] {
  const age = ageOf(nowMs - Date.parse(started_at))
  return [id, age, oneLine(visible(ready ?? "")), oneLine(visible(command))]
}

function table(terminal: TerminalCommands, rows: readonly (readonly string[])[]): void {
  const lines = columnsOf(rows).trimEnd().split("\n")
  sayTable(
    terminal,
    lines.map(line => clipped(line, terminal.columns)),
  )
}

/** `$0.0312 · 1,234 in, 56 out · context 68,000 of 200,000 tokens (34%)`. */
function spentIn({ cost, inputTokens, outputTokens, context }: Status): string {
  const { tokens, window } = context
  const spent = cost.unknown
    ? `at least ${dollars(cost.usd)}: a price is unknown`
    : dollars(cost.usd)
  const used = tokens === null ? "unknown" : grouped(tokens)
  const share =
    tokens === null || window === null ? "" : ` (${Math.round((100 * tokens) / window)}%)`
  const whole = window === null ? "" : ` of ${grouped(window)}`
  return [
    spent,
    `${grouped(inputTokens)} in, ${grouped(outputTokens)} out`,
    `context ${used}${whole} tokens${share}`,
  ].join(" · ")
}
