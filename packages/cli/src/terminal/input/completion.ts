import type { Completion, SlashCommand } from "../contracts.ts"
import { type EditorState, type Line, replaced } from "./state.ts"

/** What the letters before the cursor may become. */
export type Wanted = {
  type: "command" | "argument" | "path"
  /** Where the letters begin. */
  start: number
  letters: string
  /** The command whose argument it is; empty for the others. */
  command: string
}

/** What is offered; `at` is the one that is picked, -1 as long as none is. */
export type Menu = { wanted: Wanted; choices: readonly Completion[]; at: number }

export function wantedAt({ text, cursor }: Line): Wanted | null {
  const before = text.slice(0, cursor)
  const [, command] = /^\/(\w*)$/.exec(before) ?? []
  if (command !== undefined) return { type: "command", start: 1, letters: command, command: "" }

  const [, name, argument] = /^\/(\w+) +(\S*)$/.exec(before) ?? []
  if (name !== undefined && argument !== undefined && !argument.startsWith("@")) {
    return { type: "argument", start: cursor - argument.length, letters: argument, command: name }
  }
  const [, path] = /(?:^|\s)@(\S*)$/.exec(before) ?? []
  if (path === undefined) return null
  return { type: "path", start: cursor - path.length, letters: path, command: "" }
}

export function sameWanted(one: Wanted | null, other: Wanted | null): boolean {
  return one?.type === other?.type && one?.start === other?.start && one?.letters === other?.letters
}

/** Commands that begin with the letters, then those that hold them. */
export function commandsFor(letters: string, commands: readonly SlashCommand[]): Completion[] {
  return matching(
    letters,
    commands.map(({ name, description }) => ({ value: name, note: description })),
  )
}

/** What begins with the letters, then what holds them. */
export function matching(letters: string, choices: readonly Completion[]): Completion[] {
  const wanted = letters.toLowerCase()
  const holds = choices.filter(({ value }) => value.toLowerCase().includes(wanted))
  const begins = holds.filter(({ value }) => value.toLowerCase().startsWith(wanted))
  return [...begins, ...holds.filter(choice => !begins.includes(choice))]
}

/** A menu over the choices, or none where there is nothing more to say. */
export function menuOf(wanted: Wanted, choices: readonly Completion[]): Menu | null {
  const [first] = choices
  if (first === undefined || (choices.length === 1 && first.value === wanted.letters)) return null
  // Without letters nobody picked anything: Enter sends the line as it is.
  return { wanted, choices, at: wanted.letters === "" && wanted.type !== "command" ? -1 : 0 }
}

export function movedIn(menu: Menu, by: 1 | -1): Menu {
  const { length } = menu.choices
  const at = menu.at === -1 && by === -1 ? length - 1 : (menu.at + by + length) % length
  return { ...menu, at }
}

/** The line with the picked choice, and a space to go on after it. */
export function completed(state: EditorState, { wanted, choices, at }: Menu): EditorState {
  const choice = choices[Math.max(0, at)]
  if (choice === undefined) return state
  const isQuoted = wanted.type === "path" && /\s/.test(choice.value)
  const value = isQuoted ? `"${choice.value}"` : choice.value
  return replaced(state, { from: wanted.start, to: state.cursor, text: `${value} ` })
}

/** True when what is typed is already what would be picked. */
export function isTyped({ wanted, choices, at }: Menu): boolean {
  return choices[at]?.value === wanted.letters
}
