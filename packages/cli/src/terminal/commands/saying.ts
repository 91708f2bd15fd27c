import { failure } from "@harness/protocol"
import type { TerminalCommands } from "../contracts.ts"

/** One line, or a few, to the person. */
export function say(
  { print }: Pick<TerminalCommands, "print">,
  text: string,
  level: "plain" | "muted" | "warning" = "muted",
): void {
  print({ type: "notice", level, text })
}

/** Lines that were made for this terminal; the first is a title. */
export function sayTable(
  { print, theme }: Pick<TerminalCommands, "print" | "theme">,
  [titles = "", ...rows]: readonly string[],
): void {
  print({ type: "lines", lines: [theme.strong(titles), ...rows] })
}

/** What would take the conversation from under a turn waits for its end. */
export function requireIdle(name: string, { view }: Pick<TerminalCommands, "view">): void {
  if (view().live.phase.type === "idle") return
  throw failure("command_invalid", {
    command: `/${name}`,
    reason: "a turn runs; Esc twice ends it",
  })
}

/** The number of a turn; undefined when none is said. */
export function turnIn(text: string, name: string): number | undefined {
  const word = text.trim()
  if (word === "") return undefined
  if (/^[1-9]\d{0,8}$/.test(word)) return Number(word)
  throw failure("command_invalid", {
    command: `/${name}`,
    reason: `"${word}" is not the number of a turn`,
  })
}
