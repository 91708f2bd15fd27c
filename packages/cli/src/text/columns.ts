import { padded, widthOf } from "./width.ts"

/** Rows as lines whose cells stand under each other. */
export function columnsOf(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_cell, column) =>
    Math.max(...rows.map(row => widthOf(row[column] ?? ""))),
  )
  return rows
    .map(row => row.map((cell, column) => padded(cell, widths[column] ?? 0, "right")).join("  "))
    .map(line => `${line.trimEnd()}\n`)
    .join("")
}
