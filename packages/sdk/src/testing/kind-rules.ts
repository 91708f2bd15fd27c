import { Effect } from "@harness/protocol"
import * as z from "zod"
import { isDefinition } from "../brand.ts"
import type { AnyAction, KindDefinition } from "../kind.ts"
import type { ToolView } from "../tool-view.ts"

/** The part of an input's JSON Schema that the rules are about. */
const InputSchema = z.looseObject({
  type: z.literal("object"),
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
})

/** What is wrong with a kind as a whole, one sentence each. */
export function problemsOfKind(kind: KindDefinition): string[] {
  return [
    ...when(!isDefinition(kind, "kind"), "It was not made with defineKind."),
    ...when(
      !/^[a-z][a-z0-9_-]{0,63}$/.test(kind.name),
      `The name "${kind.name}" is not lower-case.`,
    ),
    ...when(!isSentence(kind.description), "Its description is not a sentence."),
    ...when(kind.actions.length === 0, "It has no action."),
    ...repeated(kind.actions).map(name => `Two actions have the name ${name}.`),
    ...repeated(kind.tools ?? []).map(name => `Two tools have the name ${name}.`),
    ...problemsOfVerify(kind),
  ]
}

/** What is wrong with an action, one sentence each. */
export function problemsOfAction(action: AnyAction): string[] {
  const onlyLooks = action.effect === "read" || action.effect === "observe"
  return [
    ...when(!isSnakeCase(action.name), `The name ${action.name} is not in snake_case.`),
    ...when(!isSentence(action.description), "Its description is not a sentence."),
    ...when(!/^\{.+\}$/s.test(action.returns), "`returns` does not name the result's keys in {}."),
    ...when(!Effect.safeParse(action.effect).success, `Policy knows no effect ${action.effect}.`),
    ...when(
      !onlyLooks && action.preview === undefined,
      "It does more than look, and has no preview to show to a person.",
    ),
    ...problemsOfInput(action.input),
  ]
}

/** What is wrong with a tool view, one sentence each. */
export function problemsOfTool(tool: ToolView): string[] {
  return [
    ...when(!isSnakeCase(tool.name), `The name ${tool.name} is not in snake_case.`),
    ...when(!isSentence(tool.description), "Its description is not a sentence."),
    ...problemsOfInput(tool.input),
  ]
}

function problemsOfVerify(kind: KindDefinition): string[] {
  const planned = kind.verify?.("exit 0")
  if (planned === undefined) return []

  const action = kind.actions.find(one => one.name === planned.action)
  if (action === undefined) return [`It verifies with ${planned.action}, which it does not have.`]
  return when(
    !action.input.safeParse(planned.input).success,
    `It verifies with input that ${planned.action} does not take.`,
  )
}

function problemsOfInput(input: z.ZodObject): string[] {
  const schema = schemaOf(input)
  if (schema === null) return ["Its input cannot be expressed as a JSON Schema."]

  const names = Object.keys(schema.properties)
  const firstOptional = names.findIndex(name => !schema.required.includes(name))
  const late =
    firstOptional < 0
      ? []
      : names.slice(firstOptional).filter(name => schema.required.includes(name))
  return [
    ...names
      .filter(name => !isSnakeCase(name))
      .map(name => `The parameter ${name} is not in snake_case.`),
    ...late.map(name => `The parameter ${name} must be given, but follows one that need not be.`),
  ]
}

function schemaOf(input: z.ZodObject): z.infer<typeof InputSchema> | null {
  try {
    return InputSchema.parse(z.toJSONSchema(input, { io: "input" }))
  } catch {
    return null
  }
}

function isSnakeCase(name: string): boolean {
  return /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name)
}

function isSentence(text: string): boolean {
  return /^\S.*[.!?)]$/s.test(text.trim())
}

function repeated(named: readonly { name: string }[]): string[] {
  const names = named.map(({ name }) => name)
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))]
}

function when(broken: boolean, problem: string): string[] {
  return broken ? [problem] : []
}
