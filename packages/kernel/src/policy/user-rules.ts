import type { Rule, SavedApproval, Verdict } from "@harness/protocol"
import type { CommandLine, SimpleCommand } from "./command-line/commands-in.ts"
import { type Judged, ruleFor } from "./rules.ts"

/** What the user has said for good: in the configuration, and at the gate. */
export type UserRules = { rules: readonly Rule[]; approvals: readonly SavedApproval[] }

/** A verdict and the rules that gave it: `rule:2`, `approval:3f9a`, `rule:1 + rule:2`. */
export type Said = { verdict: Verdict; by: string }

/**
 * What they say about an action itself; null when nothing. Of a command line whose commands are known
 * each is judged: one `deny` denies, one `ask` asks, and an `allow` needs a rule for every one.
 */
export function saidOf(
  action: Judged,
  line: CommandLine | null,
  { rules, approvals }: UserRules,
): Said | null {
  const all = [...rules, ...approvals.map(({ rule }) => rule)]
  const nameOf = (index: number) => {
    const approval = approvals[index - rules.length - 1]
    return approval === undefined ? `rule:${index}` : `approval:${approval.id}`
  }
  const said = judgedParts(action, line).map(each => {
    const found = ruleFor(all, each)
    return found && { verdict: found.verdict, by: nameOf(found.index) }
  })
  const strict = (wanted: Verdict) => said.find(each => each?.verdict === wanted)
  const held = strict("deny") ?? strict("ask")
  if (held) return held

  const names = said.flatMap(each => (each === null ? [] : [each.by]))
  if (names.length < said.length) return null
  return { verdict: "allow", by: [...new Set(names)].join(" + ") }
}

/** The parts of a command line that need a rule each; redirects that write have none that fits. */
export function partsOf(line: CommandLine | null): SimpleCommand[] {
  if (line === null) return []
  return [...line.commands, ...line.writes.map(text => ({ text, words: [null] }))]
}

function judgedParts(action: Judged, line: CommandLine | null): Judged[] {
  const parts = partsOf(line)
  return parts.length === 0 ? [action] : parts.map(part => ({ ...action, part }))
}
