import { Box, Text, useInput } from "ink"
import { createElement as h, type ReactElement, useEffect } from "react"
import { permitLines } from "../../text/permits.ts"
import { visible } from "../../text/visible.ts"
import { clipped } from "../../text/width.ts"
import type { GateProps } from "../contracts.ts"
import { patchLines } from "../render/diff.ts"

/** Puts a request before the person: all of it is printed, then a key decides. */
export function Gate(props: GateProps): ReactElement {
  const { request, behind, theme, columns, print, onAnswer } = props
  const { title } = request.opened

  // Once for each request.
  useEffect(() => {
    print({ type: "lines", lines: shownLines(props) })
  }, [request.request])

  useInput((input, key) => {
    if (key.ctrl || key.meta) return
    if (input === "a" || input === "y") onAnswer({ decision: "approve" })
    else if (input === "d" || input === "n" || key.escape) onAnswer({ decision: "deny" })
  })

  const more = behind === 0 ? "" : ` · ${behind} more behind it`
  return h(
    Box,
    { flexDirection: "column" },
    h(Text, { wrap: "truncate" }, theme.warning(clipped(visible(title), columns))),
    h(Text, { wrap: "truncate" }, `Let it?  a approve · d deny${more}`),
  )
}

function shownLines({ request, theme, columns }: GateProps): string[] {
  const { opened, preview } = request
  const wanted = permitLines(opened.permits).map(line => theme.warning(`  ${line}`))
  const lines =
    preview.format === "diff"
      ? patchLines(preview.text, { theme, columns })
      : visible(preview.text).split("\n")
  return [theme.strong(visible(opened.title)), ...wanted, ...lines.map(line => `  ${line}`)]
}
