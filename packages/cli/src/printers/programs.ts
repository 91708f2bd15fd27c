import type { ConversationEvent, DurableEvent } from "@harness/protocol"
import { counted, elapsed } from "../text/format.ts"
import type { Paint } from "../text/paint.ts"
import { visible } from "../text/visible.ts"
import { clipped } from "../text/width.ts"
import { wordsOf } from "./action-line.ts"
import type { Page } from "./page.ts"

/** Lines of a program's output that are shown; the whole is kept under the conversation. */
const shownLines = 20

/** Shows programs: the source when one starts, what it prints, how it ended. */
export interface ProgramPrinter {
  /** True when the event was a program's own. */
  event(event: ConversationEvent): boolean
}

export function programPrinter(page: Page, paint: Paint): ProgramPrinter {
  /** What was printed and is not a whole line yet. */
  let open = ""
  let printed = 0

  return {
    event(event) {
      switch (event.type) {
        case "program_started":
          open = ""
          printed = 0
          page.gap()
          page.lines(paint.bold(`program ${event.program} · ${event.language}`))
          page.lines(...indented(event.source, "    "))
          return true
        case "program_output":
          take(event.text)
          return true
        case "program_ended":
          if (open !== "") take("\n")
          showEnd(event)
          return true
        default:
          return false
      }
    },
  }

  function take(text: string) {
    const lines = (open + text).split("\n")
    open = lines.pop() ?? ""
    if (printed > shownLines) open = ""
    for (const line of lines) {
      printed += 1
      if (printed <= shownLines)
        page.lines(paint.dim(clipped(`  │ ${visible(line)}`, page.columns)))
      else if (printed === shownLines + 1) page.lines(paint.dim("  │ …"))
    }
  }

  function showEnd(ended: Extract<DurableEvent, { type: "program_ended" }>) {
    const { program, status, exit_code, error, calls, output_characters, elapsed_ms } = ended
    const line = [
      `program ${program}`,
      status === "exit" ? `exit ${exit_code ?? 0}` : wordsOf(status),
      counted(calls, "call"),
      counted(output_characters, "character"),
      elapsed(elapsed_ms),
    ].join(" · ")

    page.lines(status === "ok" || status === "exit" ? paint.dim(line) : paint.yellow(line))
    if (error !== null) page.lines(...indented(error, "    ").map(paint.red))
  }
}

function indented(text: string, indent: string): string[] {
  return visible(text)
    .replace(/\n+$/, "")
    .split("\n")
    .map(line => (line === "" ? "" : indent + line))
}
