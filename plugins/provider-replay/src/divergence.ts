import type { ActionOutcome, ResultPart } from "@harness/protocol"
import type { ExpectedResult } from "./recording.ts"

export type Divergence = { expected: string; found: string }

/** The first difference between the results that were recorded and those that came; null for none. */
export function divergenceOf(
  expected: readonly ExpectedResult[],
  found: readonly ResultPart[],
): Divergence | null {
  if (expected.length !== found.length) {
    return { expected: count(expected.length, "result"), found: count(found.length, "result") }
  }

  for (const [index, wanted] of expected.entries()) {
    const result = found[index]
    if (result === undefined) continue
    const difference = inResult(wanted, result)
    if (difference !== null) {
      const where = `in result ${index + 1} (${result.tool}) `
      return { expected: where + difference.expected, found: difference.found }
    }
  }
  return null
}

function inResult(expected: ExpectedResult, found: ResultPart): Divergence | null {
  if (expected.status !== found.status) {
    return {
      expected: `the status ${expected.status}`,
      found: `${found.status}: ${firstLine(found.text)}`,
    }
  }
  if (expected.actions === undefined) return null

  const actions = found.actions ?? []
  const length = Math.max(expected.actions.length, actions.length)
  for (let index = 0; index < length; index++) {
    const wanted = expected.actions[index]
    const outcome = actions[index]
    if (wanted !== undefined && outcome !== undefined && sameOutcome(wanted, outcome)) continue

    const where = `action ${index + 1} `
    return {
      expected: where + (wanted === undefined ? "to be none" : `to be ${describe(wanted)}`),
      found: outcome === undefined ? "no further action" : describe(outcome),
    }
  }
  return null
}

/** An exit code that was not recorded does not count. */
function sameOutcome(wanted: ActionOutcome, outcome: ActionOutcome): boolean {
  return (
    wanted.action === outcome.action &&
    wanted.status === outcome.status &&
    (wanted.exit_code === undefined || wanted.exit_code === (outcome.exit_code ?? null))
  )
}

function describe({ action, status, exit_code }: ActionOutcome): string {
  const exit = typeof exit_code === "number" ? ` with exit code ${exit_code}` : ""
  return `${action} ${status}${exit}`
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`
}

function firstLine(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? ""
  return line.length > 200 ? `${line.slice(0, 200)}…` : line
}
