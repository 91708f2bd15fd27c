import type { ActionOutcome, Limits } from "@harness/protocol"
import type { ProgramEnd } from "@harness/sdk"
import { firstBytes } from "./fitting-result.ts"

/**
 * What the model is told of a program: its output (of too much the beginning and the name), the
 * error, and what its actions came to: counts and the most recent that did not go as usual.
 */
export function programReport(report: {
  end: ProgramEnd
  /** All that was printed. */
  output: string
  /** `output:<id>`. */
  outputName: string
  outcomes: readonly ActionOutcome[]
  limits: Limits
  /** What all of it may come to. */
  limitBytes: number
}): string {
  const { end, outcomes, limits } = report
  const lines: string[] = []
  const output = shown(report)
  if (output !== "") lines.push(output)
  if (end.error !== null) lines.push(end.error.trimEnd())
  lines.push(`[${[wordFor(end), ...counts(outcomes)].join(" · ")}]`)
  lines.push(...notable(outcomes, limits.program_events_shown))
  if (!end.variablesKept) lines.push("[interpreter restarted: earlier variables are gone]")
  return lines.join("\n")
}

/** Of what is told, the output: the rest is for the error and what actions came to. */
const outputShare = 3 / 4

function shown({ output, outputName, limits, limitBytes }: Parameters<typeof programReport>[0]) {
  const mostBytes = Math.floor(limitBytes * outputShare)
  const fits = output.length <= limits.program_output_shown_characters
  if (fits && Buffer.byteLength(output) <= mostBytes) return output.trimEnd()

  const begin = Buffer.from(output.slice(0, limits.program_output_head_characters))
  const head = firstBytes(begin, mostBytes)
  return `${head}\n[${output.length} characters in all; read on with read_file("${outputName}", offset=${Buffer.byteLength(head)})]`
}

function wordFor(end: ProgramEnd): string {
  if (end.status !== "exit") return end.status
  return `exit ${end.exitCode ?? 0}`
}

function counts(outcomes: readonly ActionOutcome[]): string[] {
  if (outcomes.length === 0) return []
  const byAction = new Map<string, number>()
  for (const { action } of outcomes) byAction.set(action, (byAction.get(action) ?? 0) + 1)
  return [[...byAction].map(([action, count]) => `${action} ${count}`).join(", ")]
}

function notable(outcomes: readonly ActionOutcome[], limit: number): string[] {
  const unusual = outcomes.filter(
    ({ status, exit_code }) => status !== "ok" || (exit_code ?? 0) !== 0,
  )
  const left = unusual.length - limit
  const lines = unusual
    .slice(-limit)
    .map(({ action, status, exit_code }) =>
      status === "ok" ? `- ${action}: exit ${exit_code}` : `- ${action}: ${status}`,
    )
  return left > 0 ? [`- ${left} earlier ones left out`, ...lines] : lines
}
