import type { ActionReceipt, ProcessReceipt } from "@harness/protocol"
import { shortHash } from "../text/format.ts"
import { visible } from "../text/visible.ts"
import { exitOf, measuresOf, wordsOf } from "./action-line.ts"

/** The receipts of the processes that ran, one line each: status, exit, elapsed, bytes, hash. */
export interface ReceiptList {
  add(title: string, receipt: Pick<ActionReceipt, "process">): void
  lines(): { title: string; receipt: string }[]
}

export function receiptList(): ReceiptList {
  const receipts: { title: string; receipt: string }[] = []

  return {
    add(title, { process }) {
      if (process) receipts.push({ title, receipt: inShort(process) })
    },
    lines: () => receipts,
  }
}

function inShort(receipt: ProcessReceipt): string {
  const { status, dropped_bytes, output_sha256, reason, containment } = receipt
  return [
    wordsOf(status),
    ...(reason === undefined ? [] : [reason]),
    ...(status === "not_started" ? [] : [exitOf(receipt), ...measuresOf(receipt)]),
    ...(dropped_bytes > 0 ? [`${dropped_bytes} bytes dropped`] : []),
    ...(status === "not_started" ? [] : [`sha256 ${shortHash(output_sha256)}`]),
    ...named("touched", containment?.touched),
    ...named("changed hard links", containment?.hard_links),
  ].join(" · ")
}

/** Files that others act on, or that may lie outside the root: the first few by name. */
function named(what: string, paths: readonly string[] = []): string[] {
  if (paths.length === 0) return []
  const shown = paths.slice(0, shownPaths).map(visible)
  const more = paths.length > shownPaths ? ` and ${paths.length - shownPaths} more` : ""
  return [`${what} ${shown.join(", ")}${more}`]
}

const shownPaths = 3
