import type { HistoryItem, LiveProgram, Of, Passing, View } from "./view.ts"

/** Lines of a program's output that are printed; the whole is kept under the conversation. */
const shownLines = 20

/** Of what is not printed only the end is shown while it runs. */
const keptOutput = 4_000

export function programStarted(view: View, event: Of<"program_started">, atMs: number): View {
  const { program, language, source } = event
  return {
    ...view,
    fresh: [...view.fresh, { type: "program", program, language, source }],
    live: { ...view.live, program: { program, sinceMs: atMs, tail: "", printed: 0 } },
    known: { ...view.known, program: event },
  }
}

export function programPrinted(view: View, { text }: Passing<"program_output">): View {
  const { program } = view.live
  return program === null ? view : taken(view, program, text)
}

export function programEnded(view: View, event: Of<"program_ended">): View {
  const { program } = view.live
  const isOpen = program !== null && program.tail !== "" && program.printed < shownLines
  const { fresh, live, ...rest } = isOpen ? taken(view, program, "\n") : view
  return {
    ...rest,
    fresh: [...fresh, { type: "program_ended", event }],
    live: { ...live, program: null },
    known: { ...view.known, program: null },
  }
}

/** The first lines are printed as they come; of the others it is said once that there are more. */
function taken(view: View, program: LiveProgram, text: string): View {
  const lines = (program.tail + text).split("\n")
  if (program.printed > shownLines) {
    const tail = lines.join("\n").slice(-keptOutput)
    return { ...view, live: { ...view.live, program: { ...program, tail } } }
  }

  const tail = (lines.pop() ?? "").slice(-keptOutput)
  const room = shownLines - program.printed
  const shown = lines.slice(0, room)
  const more = lines.length > room
  const printed = program.printed + (more ? room + 1 : lines.length)
  const item: HistoryItem = { type: "program_output", lines: shown, more }
  return {
    ...view,
    fresh: lines.length === 0 ? view.fresh : [...view.fresh, item],
    live: { ...view.live, program: { ...program, tail, printed } },
  }
}
