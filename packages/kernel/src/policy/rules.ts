import { posix } from "node:path"
import type { JsonObject, Permit, Rule, Verdict } from "@harness/protocol"
import type { ProposedAction } from "@harness/sdk"
import type { SimpleCommand } from "./command-line/commands-in.ts"

/** An action as the rules see it. */
export type Judged = ProposedAction & {
  /** The file that its input names, relative to the root. */
  path: string | null
  /** One of the commands that its line runs: an `allow` is judged by it in the place of the line. */
  part?: SimpleCommand
}

export type DecidingRule = { verdict: Verdict; index: number }

/**
 * The rule of the user that decides about the action itself: the most specific one that matches
 * (`path`, `command` or `permit` before `action`, `action` before `effect`); of equally specific
 * ones the strictest. An `allow` that names a permit and nothing that runs or is written says
 * nothing about the action: else a model would be asked less by wanting more. `index` counts from 1
 * in the order of the configuration.
 */
export function ruleFor(rules: readonly Rule[], action: Judged): DecidingRule | null {
  return decidingOf(rules, rule => {
    const bare = rule.permit !== undefined && rule.path === undefined && rule.command === undefined
    return !(bare && rule.verdict === "allow") && matches(rule, action)
  })
}

/**
 * The rule that decides about one permit of the action. Only an `allow` that speaks of it counts:
 * one that names the permit, or, for files, the path.
 */
export function ruleForPermit(
  rules: readonly Rule[],
  action: Judged,
  permit: Permit,
): DecidingRule | null {
  return decidingOf(rules, rule => {
    if (rule.permit !== undefined && rule.permit !== permit) return false
    return (rule.verdict !== "allow" || speaksOf(rule, permit)) && matches(rule, action)
  })
}

/** The narrowest rule that would allow this permit of the action. */
export function ruleAllowing(action: Judged, permit: Permit): Rule {
  const rule = { verdict: "allow" as const, permit }
  const { path } = action
  const command = commandIn(action.input)
  const narrow: Rule[] = [
    ...(path === null || permit === "network" ? [] : [{ ...rule, path }]),
    ...(command === null ? [] : [{ ...rule, command }]),
  ]
  // A path with the signs of a glob, or a command line with operators, is matched by no such rule.
  return narrow.find(each => matches(each, action)) ?? { ...rule, action: action.action }
}

function decidingOf(rules: readonly Rule[], applies: (rule: Rule) => boolean): DecidingRule | null {
  let best: (DecidingRule & { weight: number }) | null = null
  for (const [position, rule] of rules.entries()) {
    if (!applies(rule)) continue
    const weight = specificity(rule) * 3 + strictness[rule.verdict]
    if (!best || weight > best.weight) best = { verdict: rule.verdict, index: position + 1, weight }
  }
  return best && { verdict: best.verdict, index: best.index }
}

const strictness: Record<Verdict, number> = { allow: 0, ask: 1, deny: 2 }

function specificity({ path, command, permit, action, effect }: Rule): number {
  const named = [path, command, permit].filter(key => key !== undefined).length
  return named * 4 + (action !== undefined ? 2 : 0) + (effect !== undefined ? 1 : 0)
}

function speaksOf(rule: Rule, permit: Permit): boolean {
  return rule.permit === permit || (permit !== "network" && rule.path !== undefined)
}

function matches(rule: Rule, action: Judged): boolean {
  if (rule.effect !== undefined && rule.effect !== action.effect) return false
  if (rule.action !== undefined && rule.action !== action.action) return false
  if (rule.path !== undefined && !matchesPath(rule.path, rule.verdict, action.path)) return false
  if (rule.command !== undefined && !matchesCommand(rule.command, rule.verdict, action)) {
    return false
  }
  const { permit } = rule
  return permit === undefined || action.permits.some(wanted => wanted.permit === permit)
}

/**
 * In an `allow`, `*` and `**` stand for no name that begins with a dot, so that `src/**` opens no
 * `src/.env`; a `deny` or `ask` finds those names too.
 */
function matchesPath(glob: string, verdict: Verdict, path: string | null): boolean {
  if (path === null) return false
  if (posix.matchesGlob(path, glob)) return true
  return verdict !== "allow" && posix.matchesGlob(withoutDots(path), glob)
}

function withoutDots(path: string): string {
  return path.replaceAll(/(?<=^|\/)\.+(?=[^./])/g, "")
}

/**
 * An `allow` covers a command only when nothing else runs with it: in a command line with shell
 * operators the prefix says nothing about the rest, so that its commands are judged one by one, or
 * not at all. A `deny` or `ask` matches any part of the line. Variables that come with a command can
 * make another one of it.
 */
function matchesCommand(prefix: string, verdict: Verdict, { part, input }: Judged): boolean {
  const { command } = input
  const wanted = wordsOf(prefix)
  const startsAs = (found: readonly (string | null)[]) =>
    wanted.every((word, at) => found[at] === word)

  if (verdict === "allow" && addsVariables(input)) return false
  const argv = argvOf(command)
  if (argv !== null) return startsAs(argv)
  if (typeof command !== "string") return false
  const ofPart = part !== undefined && part.words[0] !== null && startsAs(part.words)
  if (verdict === "allow") {
    return part === undefined ? !isCompound(command) && startsAs(wordsOf(command)) : ofPart
  }
  return ofPart || command.split(operators).some(one => startsAs(wordsOf(one)))
}

const operators = /[;&|`$()<>{}\n\\"']/

/** True for a line in which more, or something else, can run than its first words say. */
export function isCompound(line: string): boolean {
  return operators.test(line) || /[^\S \t]/.test(line)
}

export function wordsOf(line: string): string[] {
  return line.split(/\s+/).filter(word => word !== "")
}

/** The command of an input that no shell reads. */
export function argvOf(command: unknown): string[] | null {
  return Array.isArray(command) ? command.map(String) : null
}

export function addsVariables({ env }: JsonObject): boolean {
  return typeof env === "object" && env !== null && Object.keys(env).length > 0
}

/** A longer command is no rule that somebody would want to read. */
const shownCharacters = 80

function commandIn({ command }: JsonObject): string | null {
  const line = Array.isArray(command) ? command.map(String).join(" ") : command
  if (typeof line !== "string" || line.trim() === "" || line.length > shownCharacters) return null
  return wordsOf(line).join(" ")
}
