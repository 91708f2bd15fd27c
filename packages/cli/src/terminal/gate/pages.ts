import type { Key } from "ink"

/** How much there is to see, and how much of it at once; hunks by the row at which they begin. */
export type Pages = { rows: number; room: number; hunks: readonly number[] }

/** The first row that is seen after a key; null when the key turns no page. */
export function turned(top: number, input: string, key: Key, pages: Pages): number | null {
  const { rows, room, hunks } = pages
  const to = (row: number) => Math.max(0, Math.min(row, lastTop(pages)))
  if (key.upArrow || input === "k") return to(top - 1)
  if (key.downArrow || input === "j") return to(top + 1)
  if (key.pageUp) return to(top - room)
  if (key.pageDown || input === " ") return to(top + room)
  if (key.home || input === "g") return 0
  if (key.end || input === "G") return to(rows - room)
  if (input === "n") return to(hunks.find(row => row > top) ?? top)
  if (input === "p") return to(hunks.findLast(row => row < top) ?? 0)
  return null
}

/** The last hunk can be brought to the top, else the last row to the bottom. */
function lastTop({ rows, room, hunks }: Pages): number {
  return Math.max(0, rows - room, hunks.at(-1) ?? 0)
}

/** `hunk 2/5 · rows 19-36 of 310`. */
export function positionIn(top: number, { rows, room, hunks }: Pages): string[] {
  const hunk = hunks.findLastIndex(row => row <= top) + 1
  const place = `rows ${top + 1}-${Math.min(rows, top + room)} of ${rows}`
  return hunks.length === 0 ? [place] : [`hunk ${Math.max(1, hunk)}/${hunks.length}`, place]
}
