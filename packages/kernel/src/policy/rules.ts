import { posix } from "node:path"
import type { JsonObject, Rule, Verdict } from "@harness/protocol"
import type { ProposedAction } from "@harness/sdk"

/**
 * The rule of the user that decides: the most specific one that matches (`path` or `command` before
 * `action`, `action` before `effect`); of equally specific ones the strictest. `index` counts from 1
 * in the order of the configuration.
 */
export function ruleFor(
  rules: readonly Rule[],
  action: ProposedAction,
): { verdict: Verdict; index: number } | null {
  let best: { verdict: Verdict; index: number; weight: number } | null = null
  for (const [position, rule] of rules.entries()) {
    if (!matches(rule, action)) continue
    const weight = specificity(rule) * 3 + strictness[rule.verdict]
    if (!best || weight > best.weight) best = { verdict: rule.verdict, index: position + 1, weight }
  }
  return best && { verdict: best.verdict, index: best.index }
}

const strictness: Record<Verdict, number> = { allow: 0, ask: 1, deny: 2 }

function specificity(rule: Rule): number {
  const named = rule.path !== undefined || rule.command !== undefined
  return (named ? 4 : 0) + (rule.action !== undefined ? 2 : 0) + (rule.effect !== undefined ? 1 : 0)
}

function matches(rule: Rule, action: ProposedAction): boolean {
  if (rule.effect !== undefined && rule.effect !== action.effect) return false
  if (rule.action !== undefined && rule.action !== action.action) return false
  if (rule.path !== undefined && !matchesPath(rule.path, action.input)) return false
  if (rule.command !== undefined && !matchesCommand(rule.command, rule.verdict, action.input)) {
    return false
  }
  return true
}

function matchesPath(glob: string, { path }: JsonObject): boolean {
  return typeof path === "string" && posix.matchesGlob(posix.normalize(path), glob)
}

/**
 * An `allow` covers a command only when nothing else runs with it: in a command line with shell
 * operators the prefix says nothing about the rest. A `deny` or `ask` matches any part of the line.
 */
function matchesCommand(prefix: string, verdict: Verdict, { command }: JsonObject): boolean {
  const wanted = words(prefix)
  const startsAs = (found: readonly string[]) => wanted.every((word, at) => found[at] === word)

  if (Array.isArray(command)) return startsAs(command.map(String))
  if (typeof command !== "string") return false
  if (verdict === "allow") return !operators.test(command) && startsAs(words(command))
  return command.split(operators).some(part => startsAs(words(part)))
}

const operators = /[;&|`$()<>{}\n\\"']/

function words(line: string): string[] {
  return line.split(/\s+/).filter(word => word !== "")
}
