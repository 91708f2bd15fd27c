import { Box, Text } from "ink"
import { createElement as h, type ReactElement } from "react"
import type { GateProps, Styled } from "../contracts.ts"
import { exactly } from "./exact.ts"
import { wrappedWords } from "./rows.ts"

/** Rows of the terminal under each other, each already as wide as it may be. */
export function Rows({ rows }: { rows: readonly Styled[] }): ReactElement {
  return h(
    Box,
    { flexDirection: "column" },
    ...rows.map((row, index) => h(Text, { key: index, wrap: "truncate" }, row === "" ? " " : row)),
  )
}

/** What asks, and how many wait behind it. */
export function headRows(
  { request, behind, theme, columns }: GateProps,
  asks: string,
): readonly Styled[] {
  const more = behind === 0 ? [] : [`${behind} more behind it`]
  const title = exactly(request.opened.title).replaceAll("\n", " ")
  return wrappedWords([`${title} ${asks}`.trim(), ...more], columns).map(theme.warning)
}
