import type { JsonObject } from "@harness/protocol"
import { JsonObject as Input } from "@harness/protocol"
import type { WaitingRequest } from "../view/view.ts"

/** What a person changes of an action before they approve it. */
export type Editing = {
  /** Where a short line of it is typed; everything else is written in an editor. */
  at: "gate" | "editor"
  /** The key of the input that holds the text; null when the text is the whole input, as JSON. */
  key: string | null
  text: string
  /** A name for the file, so that an editor knows its language. */
  name: string
}

export type Edited =
  | { status: "edited"; input: JsonObject }
  | { status: "same" }
  | { status: "invalid"; reason: string }

/** What can be changed: the command, the new text, else the whole input. Null for a program. */
export function editingOf({ proposal }: Pick<WaitingRequest, "proposal">): Editing | null {
  if (proposal === null) return null
  const { input, effect } = proposal
  if (typeof input.command === "string") {
    return { at: "gate", key: "command", text: input.command, name: "command.sh" }
  }
  const key =
    effect === "write" ? textKeys.find(each => typeof input[each] === "string") : undefined
  const text = key === undefined ? undefined : input[key]
  if (key !== undefined && typeof text === "string") {
    return { at: "editor", key, text, name: fileName(input.path) }
  }
  return {
    at: "editor",
    key: null,
    text: `${JSON.stringify(input, null, 2)}\n`,
    name: "input.json",
  }
}

/** Where actions that write keep what is written. */
const textKeys = ["new_text", "text"]

/** The whole input with what the person made of the text. */
export function inputWith(input: JsonObject, editing: Editing, written: string): Edited {
  const text = asItEnded(editing.text, written)
  if (text === editing.text) return { status: "same" }
  if (editing.key !== null) return { status: "edited", input: { ...input, [editing.key]: text } }
  try {
    const parsed = Input.safeParse(JSON.parse(text))
    if (parsed.success) return { status: "edited", input: parsed.data }
    return { status: "invalid", reason: "the input must be a JSON object" }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { status: "invalid", reason: `it is no JSON: ${reason}` }
  }
}

/** Most editors end the last line, whether it was ended or not. */
function asItEnded(before: string, written: string): string {
  return before.endsWith("\n") ? written : written.replace(/\r?\n$/, "")
}

/** The last part of the path, so far as a file can be named by it. */
function fileName(path: unknown): string {
  const last = typeof path === "string" ? (path.split("/").at(-1) ?? "") : ""
  return /^[\w.-]*\w$/.test(last) && last.length < 100 ? last : "text"
}
