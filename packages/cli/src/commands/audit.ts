import type { AuditReport } from "@harness/protocol"
import { ask } from "../ask.ts"
import type { Invocation } from "../invocation.ts"
import { counted, grouped } from "../text/format.ts"
import { type Paint, paintFor } from "../text/paint.ts"
import { visible } from "../text/visible.ts"
import { withKernel } from "./with-kernel.ts"

/** `harness audit`: whether all that a conversation keeps is as it was; exit 1 on any difference. */
export function audit(
  conversation: string,
  { json }: { json?: true },
  invocation: Invocation,
): Promise<number> {
  const { stdout, env } = invocation
  return withKernel(invocation, async kernel => {
    const { report } = await ask(kernel, { type: "audit", conversation })
    const text = json ? JSON.stringify(report, null, 2) : linesOf(report, paintFor(stdout, env))
    stdout.write(`${text}\n`)
    return report.holds ? 0 : 1
  })
}

function linesOf(report: AuditReport, paint: Paint): string {
  const { conversation, holds, log, intact, findings } = report
  const { payloads, processes, programs } = intact
  const differences = findings.filter(({ status }) => !isOnRecord(status))
  const colour = { difference: paint.red, onRecord: paint.dim }

  return [
    `conversation ${conversation}`,
    `log          ${counted(log.records, "record")} · ${stateOf(log)}`,
    `intact       ${counted(payloads, "payload")} · ${counted(processes, "process", "processes")} · ${counted(programs, "program")}`,
    ...findings.map(({ status, place, detail }) => {
      const line = visible(`${status.padEnd(11)}  ${place}: ${detail}`)
      return isOnRecord(status) ? colour.onRecord(line) : colour.difference(line)
    }),
    holds ? paint.green("it holds") : paint.red(counted(differences.length, "difference")),
  ].join("\n")
}

/** A tombstone in the chain says so: that is no difference. */
function isOnRecord(status: AuditReport["findings"][number]["status"]): boolean {
  return status === "redacted" || status === "collected"
}

/** How much of the log's end is proved. */
function stateOf({ state, records, stored_seq }: AuditReport["log"]): string {
  const stored = stored_seq === null ? "no head is stored" : `head stored at ${grouped(stored_seq)}`
  switch (state) {
    case "closed":
      return "chained, to the stored head"
    case "open":
      return `chained, open in another process (${stored})`
    case "unclosed":
      return `chained, not closed (${stored}): whether more than ${grouped(records)} were written is not known`
    case "damaged":
      return `does not hold (${stored})`
  }
}
