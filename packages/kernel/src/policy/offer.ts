import { posix } from "node:path"
import type { Rule, RuleOffer } from "@harness/protocol"
import type { CommandLine } from "./command-line/commands-in.ts"
import { offeredPrefix } from "./offered-prefix.ts"
import { addsVariables, argvOf, type Judged, wordsOf } from "./rules.ts"
import { partsOf, saidOf, type UserRules } from "./user-rules.ts"

/** What a request offers to allow for good; `uncovered` alone where it cannot offer enough. */
export type Offered = { offer?: RuleOffer; uncovered?: string[] }

/**
 * The narrowest rules that would have let this action and its like run without a question. Nothing
 * where none would do: a permit is good for one action, some commands are never allowed for good, and
 * what a rule of the configuration asks about it goes on asking.
 */
export function offerFor(action: Judged, line: CommandLine | null, known: UserRules): Offered {
  if (action.permits.length > 0) return {}
  const missing = missingRules(action, line, known)
  const { uncovered } = missing
  const named = uncovered.length > 0 && { uncovered }
  if (missing.rules === null) return { ...named }

  const rules = [...new Map(missing.rules.map(rule => [JSON.stringify(rule), rule])).values()]
  const approvals = [...known.approvals, ...rules.map(asSaved)]
  const isEnough = saidOf(action, line, { ...known, approvals })?.verdict === "allow"
  return rules.length > 0 && isEnough ? { offer: { rules, uncovered } } : { ...named }
}

/** `rules` is null where one of them cannot be: `uncovered` names the commands of a compound line. */
function missingRules(action: Judged, line: CommandLine | null, known: UserRules) {
  const { command } = action.input
  if (command === undefined) return { rules: withoutCommand(action), uncovered: [] }
  if (addsVariables(action.input)) return { rules: null, uncovered: [] }
  if (typeof command !== "string") return rulesFor([argvOf(command) ?? []], [])

  const parts = partsOf(line)
  if (parts.length === 0) return rulesFor([wordsOf(command)], [])
  const missing = parts.filter(
    part => saidOf({ ...action, part }, null, known)?.verdict !== "allow",
  )
  return rulesFor(
    missing.map(({ words }) => words),
    parts.length > 1 ? missing.map(({ text }) => text) : [],
  )
}

function rulesFor(commands: readonly (readonly (string | null)[])[], uncovered: string[]) {
  const rules: Rule[] = []
  for (const words of commands) {
    const command = offeredPrefix(words)
    if (command === null) return { rules: null, uncovered }
    rules.push({ verdict: "allow", command })
  }
  return { rules, uncovered }
}

/** A file is written in a folder that may be written to; another action is allowed as such. */
function withoutCommand({ action, effect, path }: Judged): Rule[] | null {
  if (path === null) return [{ verdict: "allow", action }]
  if (effect !== "write") return null
  const folder = posix.dirname(path)
  const isOutside = posix.isAbsolute(path) || path.startsWith("../")
  return isOutside
    ? null
    : [{ verdict: "allow", effect, path: folder === "." ? path : `${folder}/**` }]
}

function asSaved(rule: Rule) {
  return { id: "", rule, at: "", conversation: "" }
}
