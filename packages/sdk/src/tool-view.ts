import type { JsonObject } from "@harness/protocol"
import type * as z from "zod"

/** What the conversation knows of files from its own actions. */
export interface KnownFiles {
  /** The hash last seen, `absent` when seen to be absent, undefined when never seen. */
  hashOf(path: string): string | "absent" | undefined
}

/** The action that a tool call stands for, or data that refuses it without an action. */
export type PlannedCall =
  | { action: string; input: JsonObject }
  | { refused: JsonObject & { error: string } }

/**
 * What a result may show to the model. A longer text is cut by the kernel, which keeps all of it: a view
 * that pages what it shows keeps within it.
 */
export type ResultRoom = { limitBytes: number }

/** One tool of the style `tools`: a view over an action. Pure; runs in the controller. */
export interface ToolViewDefinition<Input extends z.ZodObject> {
  /** `read`, `write`, `edit`, `bash`. */
  readonly name: string
  readonly description: string
  readonly input: Input
  /** Which action the call is; here `expected` is filled in from what the conversation knows. */
  plan(input: z.output<Input>, known: KnownFiles, room?: ResultRoom): PlannedCall
  /** The result as compact text for the model. Also called for refusals and denials. */
  present(input: z.output<Input>, result: JsonObject, room?: ResultRoom): string
}

export type ToolView = {
  readonly name: string
  readonly description: string
  readonly input: z.ZodObject
  plan(input: JsonObject, known: KnownFiles, room?: ResultRoom): PlannedCall
  present(input: JsonObject, result: JsonObject, room?: ResultRoom): string
}

/** Defines a tool view; `plan` and `present` get the parsed input. */
export function defineToolView<Input extends z.ZodObject>(
  view: ToolViewDefinition<Input>,
): ToolView {
  return {
    name: view.name,
    description: view.description,
    input: view.input,
    plan: (input, known, room) => view.plan(view.input.parse(input), known, room),
    present: (input, result, room) => view.present(view.input.parse(input), result, room),
  }
}
