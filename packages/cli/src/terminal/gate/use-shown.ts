import { useEffect, useMemo, useRef } from "react"
import { oneLine } from "../../text/width.ts"
import type { GateProps, Styled } from "../contracts.ts"
import { exactly } from "./exact.ts"
import type { Pages } from "./pages.ts"
import { rowsOf } from "./rows.ts"
import type { Shown } from "./shown.ts"

/** Lines that a person decides about; `subject` is what they are about: the same one is printed once. */
export type Matter = { subject: object; shown: Shown }

/** A matter as it is on the screen. */
export type OnScreen = {
  rows: readonly Styled[]
  pages: Pages
  /** True when all of it has room here; else it was printed above, whole. */
  fits: boolean
  /** Whether all of it stands on the screen or above. */
  wasShown(): boolean
  /** Prints a matter, if it does not stand above already: what was decided about stays readable. */
  keep(matter: Matter): void
}

/**
 * Sees to it that nothing is decided about that was not shown: what has more rows than there is room
 * for is printed above.
 */
export function useShown(
  { columns, theme, print, request }: GateProps,
  { matter, room }: { matter: Matter; room: number },
): OnScreen {
  const printed = useRef(new Set<object>())
  const { rows, hunks } = useMemo(() => rowsIn(matter.shown, columns), [matter.shown, columns])
  const fits = rows.length <= room && !theme.screenReader

  const keep = ({ subject, shown }: Matter) => {
    if (printed.current.has(subject)) return
    printed.current.add(subject)
    const title = theme.strong(oneLine(exactly(request.opened.title)))
    print({ type: "lines", lines: [title, ...shown.lines] })
  }
  useEffect(() => {
    if (!fits) keep(matter)
  })

  return {
    rows,
    pages: { rows: rows.length, room, hunks },
    fits,
    wasShown: () => fits || printed.current.has(matter.subject),
    keep,
  }
}

/** The rows of the lines, and at which of them the hunks begin. */
function rowsIn({ lines, hunks }: Shown, columns: number): { rows: Styled[]; hunks: number[] } {
  const starts: number[] = []
  const rows: Styled[] = []
  for (const line of lines) {
    starts.push(rows.length)
    for (const row of rowsOf(line, columns)) rows.push(row)
  }
  return { rows, hunks: hunks.map(index => starts[index] ?? 0) }
}
