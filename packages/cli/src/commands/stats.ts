import type { StatisticsRow } from "@harness/protocol"
import { ask } from "../ask.ts"
import type { Invocation } from "../invocation.ts"
import { statisticsLines } from "../text/statistics.ts"
import { visible } from "../text/visible.ts"
import { withKernel } from "./with-kernel.ts"

export type StatsOptions = { by: "day" | "model" | "project"; since?: string; json?: true }

/** `harness stats`: what was spent, summed; logs that could not be read to their end are named. */
export function stats({ by, since, json }: StatsOptions, invocation: Invocation): Promise<number> {
  const { stdout, stderr } = invocation
  return withKernel(invocation, async kernel => {
    const wanted = { type: "statistics" as const, by, ...(since !== undefined && { since }) }
    const { type: _type, ...answer } = await ask(kernel, wanted)
    if (json) stdout.write(`${JSON.stringify(answer, null, 2)}\n`)
    else stdout.write(tableOf(answer, by, stdout.columns))

    for (const { conversation, reason } of answer.incomplete) {
      stderr.write(
        visible(`note: conversation ${conversation}: ${reason}; what is before counts\n`),
      )
    }
    return 0
  })
}

function tableOf(
  { rows, total }: { rows: readonly StatisticsRow[]; total: StatisticsRow },
  by: StatsOptions["by"],
  columns = 120,
): string {
  if (rows.length === 0) return "Nothing was asked of a model.\n"
  return `${statisticsLines({ rows, total, by, columns }).join("\n")}\n`
}
