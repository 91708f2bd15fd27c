import { useEffect, useMemo, useRef } from "react"
import type { GateProps, Styled } from "../contracts.ts"
import { exactly } from "./exact.ts"
import type { Pages } from "./pages.ts"
import { rowsOf } from "./rows.ts"
import type { Shown } from "./shown.ts"

/** Something to be seen before a person decides, as it is on the screen. */
export type OnScreen = {
  rows: readonly Styled[]
  pages: Pages
  /** True when all of it has room here; else it was printed above, whole. */
  fits: boolean
  /** Whether all of it stands on the screen or above. */
  wasShown(): boolean
  /** Prints it, if it does not stand above already: what was decided about stays readable. */
  keep(): void
}

/**
 * Sees to it that nothing is decided about that was not shown: what has more rows than there is room
 * for is printed above. `subject` is what the lines are about: the same one is printed once.
 */
export function useShown(
  { columns, theme, print, request }: GateProps,
  { subject, shown, room }: { subject: object; shown: Shown; room: number },
): OnScreen {
  const printed = useRef(new Set<object>())
  const { rows, hunks } = useMemo(() => {
    const starts: number[] = []
    const all: Styled[] = []
    for (const line of shown.lines) {
      starts.push(all.length)
      for (const row of rowsOf(line, columns)) all.push(row)
    }
    return { rows: all, hunks: shown.hunks.map(index => starts[index] ?? 0) }
  }, [shown, columns])
  const fits = rows.length <= room && !theme.screenReader

  const keep = () => {
    if (printed.current.has(subject)) return
    printed.current.add(subject)
    const title = theme.strong(exactly(request.opened.title))
    print({ type: "lines", lines: [title, ...shown.lines] })
  }
  useEffect(() => {
    if (!fits) keep()
  })

  return {
    rows,
    pages: { rows: rows.length, room, hunks },
    fits,
    wasShown: () => fits || printed.current.has(subject),
    keep,
  }
}
