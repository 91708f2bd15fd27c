import { askLine as readLine } from "../../confirm.ts"
import type { Input, Output } from "../../invocation.ts"
import { visible } from "../../text/visible.ts"
import { clipped, widthOf } from "../../text/width.ts"

/** The person at the terminal, before anything is drawn: one question at a time, in plain lines. */
export type Prompts = {
  stdin: Input
  /** Where they look. */
  output: Output
  /** Aborted by a signal: then nothing more is asked. */
  signal: AbortSignal
}

/** What somebody can pick. */
export type Choice<Value> = { value: Value; label: string; hint?: string }

/** The person went away from a question (Ctrl-C, Ctrl-D, a terminal that closed). */
export const left = Symbol("left")

/** Asks for a line of text. */
export async function askLine(
  question: string,
  { stdin, output, signal }: Prompts,
): Promise<string | typeof left> {
  const line = await readLine({ question: visible(question), stdin, stderr: output, signal })
  if (line !== null) return line.trim()
  output.write("\n")
  return left
}

/** Rows of a list; of more the rest is found by typing. */
const shownChoices = 12

/**
 * Lets somebody pick: by its number, by its name, or by letters of it, which list what holds them.
 *
 * @param other what a text means that nothing of the list holds; without it, or with undefined, nothing
 */
export async function choose<Value>(
  question: string,
  choices: readonly Choice<Value>[],
  prompts: Prompts,
  other: (text: string) => Value | undefined = () => undefined,
): Promise<Value | typeof left> {
  let listed = choices
  for (;;) {
    prompts.output.write(listOf(listed, prompts.output.columns))
    const text = await askLine(question, prompts)
    if (text === left) return left

    const picked = pickedBy(text, listed, choices)
    if (picked !== undefined) return picked.value
    const holding = choices.filter(({ label }) => holds(label, text))
    if (holding.length === 0) {
      const value = other(text)
      if (value !== undefined) return value
      prompts.output.write(visible(`Nothing is called ${text}.\n`))
    }
    listed = holding.length === 0 ? choices : holding
  }
}

function pickedBy<Value>(
  text: string,
  listed: readonly Choice<Value>[],
  all: readonly Choice<Value>[],
): Choice<Value> | undefined {
  if (text === "") return listed.length === 1 ? listed[0] : undefined
  const number = /^\d+$/.test(text) ? Number(text) : 0
  if (number >= 1 && number <= Math.min(listed.length, shownChoices)) return listed[number - 1]

  const named = all.find(({ label }) => label === text)
  if (named !== undefined) return named
  const [only, ...others] = all.filter(({ label }) => holds(label, text))
  return others.length === 0 ? only : undefined
}

function holds(label: string, text: string): boolean {
  return label.toLowerCase().includes(text.toLowerCase())
}

function listOf<Value>(choices: readonly Choice<Value>[], columns = 80): string {
  const shown = choices.slice(0, shownChoices)
  const widest = Math.max(0, ...shown.map(({ label }) => widthOf(label)))
  const lines = shown.map(({ label, hint }, at) => {
    const number = String(at + 1).padStart(3)
    const padding = " ".repeat(widest - widthOf(label))
    return clipped(
      `${number}  ${visible(label)}${hint ? `${padding}  ${visible(hint)}` : ""}`,
      columns,
    )
  })
  const more = choices.length - shown.length
  if (more > 0)
    lines.push(clipped(`     ${more} more: type letters of a name to see those`, columns))
  return lines.map(line => `${line}\n`).join("")
}
