import type { EventBody, ToolDefinition } from "@harness/protocol"

export type DefinitionsChanged = Extract<EventBody, { type: "definitions_changed" }>

/** With what each request begins: the instructions and the tools. */
export type Definitions = { instructions: string; tools: readonly ToolDefinition[] }

/**
 * The record that requests begin with something else from here on, with what the model is told of it;
 * null when nothing changed. Without the record no definition ever changes.
 */
export function changedDefinitions(
  before: Definitions,
  now: Definitions,
): DefinitionsChanged | null {
  const isSame =
    before.instructions === now.instructions &&
    JSON.stringify(before.tools.map(inOrder)) === JSON.stringify(now.tools.map(inOrder))
  if (isSame) return null
  const { instructions, tools } = now
  const announced = announcementOf(before, now)
  return { type: "definitions_changed", instructions, tools: [...tools], announced }
}

function inOrder({ name, description, parameters }: ToolDefinition) {
  return [name, description, parameters]
}

function announcementOf(before: Definitions, now: Definitions): string {
  const then = new Map(before.tools.map(tool => [tool.name, JSON.stringify(inOrder(tool))]))
  const names = now.tools.map(({ name }) => name)
  const added = names.filter(name => !then.has(name))
  const gone = [...then.keys()].filter(name => !names.includes(name))
  const changed = now.tools.filter(tool => {
    const known = then.get(tool.name)
    return known !== undefined && known !== JSON.stringify(inOrder(tool))
  })
  const lines = [
    ...toldAs("New tools", added),
    ...toldAs("Tools that are gone", gone),
    ...toldAs(
      "Tools that take something else than before",
      changed.map(({ name }) => name),
    ),
    ...instructionLines(before.instructions, now.instructions),
  ]
  return ["harness changed what your requests begin with.", ...lines].join("\n")
}

function toldAs(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${what}: ${names.join(", ")}.`]
}

/** The lines that are new: what is no longer said stands in the instructions no longer. */
function instructionLines(before: string, now: string): string[] {
  if (before === now) return []
  const known = new Set(before.split("\n"))
  const added = now.split("\n").filter(line => line.trim() !== "" && !known.has(line))
  if (added.length === 0) return ["The instructions are shorter now."]
  const text = added.join("\n")
  const rest = text.length > addedCharacters ? "\n… (the instructions say all of it)" : ""
  return ["New in the instructions:", text.slice(0, addedCharacters) + rest]
}

const addedCharacters = 4_000
