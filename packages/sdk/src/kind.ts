import type { Effect, Json, JsonObject, PermitWanted, Preview } from "@harness/protocol"
import type * as z from "zod"
import { type Definition, define } from "./brand.ts"
import type { ActionContext, EnvironmentHost } from "./environment.ts"
import type { ToolView } from "./tool-view.ts"

/** A file as a conversation knows it from a result; `null` means that it knows it to be absent. */
export type KnownFile = { path: string; sha256: string | null }

/**
 * A typed operation of an environment. The definition is loaded twice: the controller uses the
 * schemas and texts, the worker runs `preview` and `run`.
 */
export interface ActionDefinition<Input extends z.ZodObject, Output extends JsonObject> {
  /** snake_case: the function's name in programs. */
  readonly name: string
  /** One sentence for the model: what it does and what the result holds. */
  readonly description: string
  readonly effect: Effect
  /**
   * What it starts may run on when it has ended (`processes.start`). It is granted a quarter of the
   * evidence that is free, at most as much as others.
   */
  readonly outlives?: true
  /** It may show images with its result (`images.show`), as many as `limits.images_shown`. */
  readonly shows?: true
  /** Keys in the order of positional arguments. */
  readonly input: Input
  /** The result's keys as a program sees them: `{text, bytes, next_offset}`. Shown in the signature. */
  readonly returns: string
  /**
   * What a person is shown at the gate. Runs in the worker before `run`, may only read. Return also
   * `basis`: what the preview stood on (hashes); `run` gets it back and must return
   * `{error: "conflict"}` when it no longer holds. A throw denies the action.
   */
  preview?(
    input: z.output<Input>,
    context: ActionContext,
  ): Promise<{ preview: Preview; basis: Json }>
  /**
   * Does it. Runs in the worker, after policy. What can be expected to go wrong is returned as
   * `{error, message, …}`; a throw ends the action as `error: "failed"` with the throw's message.
   */
  run(input: z.output<Input>, context: ActionContext & { basis: Json }): Promise<Output>
  /**
   * What this call needs leave for beyond its effect, with the reason that a person is shown. Pure;
   * runs in the controller before policy. A `path` in the input that names a control or secret file
   * is found without it.
   */
  permits?(input: z.output<Input>): PermitWanted[]
  /** Which files the conversation knows after this result. Pure; runs in the controller. */
  knows?(input: z.output<Input>, result: JsonObject): KnownFile[]
  /** `result` in one line for people: `exit 1 · 6.2s`. Pure; runs in the controller. */
  summarise?(input: z.output<Input>, result: JsonObject): string
}

/** An action with its types forgotten, as registries and workers hold it. */
export type AnyAction = {
  readonly name: string
  readonly description: string
  readonly effect: Effect
  readonly outlives?: true
  readonly shows?: true
  readonly input: z.ZodObject
  readonly returns: string
  preview?(input: JsonObject, context: ActionContext): Promise<{ preview: Preview; basis: Json }>
  run(input: JsonObject, context: ActionContext & { basis: Json }): Promise<JsonObject>
  permits?(input: JsonObject): PermitWanted[]
  knows?(input: JsonObject, result: JsonObject): KnownFile[]
  summarise?(input: JsonObject, result: JsonObject): string
}

/**
 * Defines an action; `run` gets the parsed input.
 *
 * @example
 * defineAction({
 *   name: "word_count", effect: "read", returns: "{words}",
 *   description: "Counts the words of a file.",
 *   input: z.object({ path: z.string() }),
 *   async run({ path }, { files }) {
 *     const file = await files.read(path, { limitBytes: 1_000_000 })
 *     if (file.status === "refused") return { error: file.error, message: file.message }
 *     return { words: new TextDecoder().decode(file.bytes).split(/\s+/).length }
 *   },
 * })
 */
export function defineAction<Input extends z.ZodObject, Output extends JsonObject>(
  action: ActionDefinition<Input, Output>,
): AnyAction {
  const { preview, run, permits, knows, summarise, ...plain } = action
  return {
    ...plain,
    run: (input, context) => run(action.input.parse(input), context),
    ...(preview && { preview: (input, context) => preview(action.input.parse(input), context) }),
    ...(permits && { permits: input => permits(action.input.parse(input)) }),
    ...(knows && { knows: (input, result) => knows(action.input.parse(input), result) }),
    ...(summarise && {
      summarise: (input, result) => summarise(action.input.parse(input), result),
    }),
  }
}

/** A kind of environment: what a package brings. */
export interface KindBody {
  readonly name: string
  /** A sentence for people and the model: what one works in. */
  readonly description: string
  readonly actions: readonly AnyAction[]
  /** The style `tools`: views over the actions. Without it the style is not offered. */
  readonly tools?: readonly ToolView[]
  /** The action call that runs a command line to verify a task. Without it `--verify` is refused. */
  verify?(command: string): { action: string; input: JsonObject }
  /** Text that comes with the first message (AGENTS.md). Runs in the worker at its start; may only read. */
  guidance?(host: EnvironmentHost): Promise<{ name: string; text: string } | null>
}

export type KindDefinition = KindBody & Definition<"kind">

/**
 * Defines a kind. A package exports it from the module that its manifest names.
 *
 * @example
 * export const notes = defineKind({ name: "notes", description: "A folder of notes.", actions: [wordCount] })
 */
export function defineKind(body: KindBody): KindDefinition {
  return define("kind", body)
}
