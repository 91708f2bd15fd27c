import type { JsonObject } from "@harness/protocol"
import { receiptList } from "../../printers/receipts.ts"
import { counted, shortHash } from "../../text/format.ts"
import { visible } from "../../text/visible.ts"
import type { Look, Styled } from "../contracts.ts"
import type { EndedCall } from "./view.ts"

/** More lines of a value than this are in the evidence, not here. */
const shownLines = 200

/** A call that was opened: what it was called with, what came back, and its receipt. */
export function detailLines(call: EndedCall, { theme }: Look): Styled[] {
  const receipts = receiptList()
  receipts.add(call.title, call.receipt)
  const { status, elapsed_ms, evidence } = call.receipt
  return [
    theme.strong(`${call.title} · ${call.outcome || status}`),
    theme.heading("input"),
    ...valueLines(call.input),
    theme.heading("result"),
    ...valueLines(call.result),
    theme.heading("receipt"),
    `  ${status} · ${Math.round(elapsed_ms)} ms`,
    ...receipts.lines().map(({ receipt }) => `  ${receipt}`),
    ...evidence.map(({ role, sha256, bytes, path }) =>
      theme.muted(
        `  ${role} ${visible(path ?? "")} ${counted(bytes, "byte")} sha256 ${shortHash(sha256)}`,
      ),
    ),
  ]
}

/** One line a value; texts of several lines below their name. */
function valueLines(value: JsonObject): Styled[] {
  return Object.entries(value).flatMap(([name, each]) => {
    if (typeof each !== "string" || !each.includes("\n")) {
      return [
        `  ${visible(name)}: ${visible(typeof each === "string" ? each : JSON.stringify(each))}`,
      ]
    }
    const lines = visible(each).replace(/\n+$/, "").split("\n")
    const more = lines.length - shownLines
    return [
      `  ${visible(name)}:`,
      ...lines.slice(0, shownLines).map(line => `    ${line}`),
      ...(more > 0 ? [`    … ${counted(more, "more line")}`] : []),
    ]
  })
}
