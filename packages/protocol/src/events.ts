import * as z from "zod"
import { ApproveMode, Sandbox, Style } from "./config.ts"
import { Ending, Verification } from "./endings.ts"
import { Failure } from "./failures.ts"
import { JsonObject, Sha256 } from "./json.ts"
import { goingOn, numbered, Repository, reserved, step, unanswered } from "./long-events.ts"
import {
  AssistantMessage,
  FinishReason,
  ToolDefinition,
  ToolMessage,
  Usage,
  UserMessage,
} from "./messages.ts"
import { EphemeralEvent } from "./passing-events.ts"
import { PermitWanted } from "./permits.ts"
import { ActionReceipt, Effect, EvidenceLink, ProcessReceipt } from "./receipts.ts"
import { requestEvents } from "./requests.ts"

/** What proposed an action: a tool call, a line of a program, the user's `--verify`, `undo` or `!command`. */
export const Origin = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("call"), call_id: z.string() }),
  z.strictObject({ type: z.literal("program"), call_id: z.string(), program: z.int() }),
  z.strictObject({ type: z.literal("verify") }),
  z.strictObject({ type: z.literal("undo") }),
  z.strictObject({ type: z.literal("user") }),
])
export type Origin = z.infer<typeof Origin>

export const Verdict = z.enum(["allow", "ask", "deny"])
export type Verdict = z.infer<typeof Verdict>

export const ProgramStatus = z.enum([
  "ok",
  "exit",
  "error",
  "interrupted",
  "output_limit",
  "killed",
  "died",
  "denied",
])
export type ProgramStatus = z.infer<typeof ProgramStatus>

/**
 * Events that are kept: each is one line of `log.jsonl` (with the chain's `hash`), and each has the
 * next `seq` of its conversation. What a face missed it can read again from here.
 */
// Lazy, like the other large schemas: it is built when something is parsed, and most runs parse none.
export const DurableEvent = z.lazy(() =>
  z.discriminatedUnion("type", [
    z.strictObject({
      ...numbered,
      type: z.literal("conversation_started"),
      conversation: z.string(),
      harness_version: z.string(),
      agent: z.string(),
      model: z.string(),
      style: Style,
      approve: ApproveMode,
      sandbox: Sandbox,
      network: z.boolean(),
      folder: z.string(),
      repository: Repository.nullable(),
      instructions: z.string(),
      tools: z.array(ToolDefinition),
    }),
    z.strictObject({
      ...numbered,
      type: z.literal("environment_opened"),
      environment: z.string(),
      kind: z.string(),
      package: z.string(),
      package_version: z.string(),
    }),
    z.strictObject({ ...numbered, type: z.literal("turn_started"), turn: z.int().positive() }),
    z.strictObject({ ...numbered, type: z.literal("user_message"), message: UserMessage }),
    z.strictObject({
      ...numbered,
      type: z.literal("step_started"),
      ...step,
      model: z.string(),
      reserved,
    }),
    z.strictObject({
      ...numbered,
      type: z.literal("step_ended"),
      ...step,
      model: z.string(),
      message: AssistantMessage,
      finish: FinishReason,
      usage: Usage,
      /** USD, or null when the price is unknown: never 0 for unknown. */
      cost: z.number().nullable(),
      unanswered,
      duration_ms: z.number(),
      first_token_ms: z.number().nullable(),
      /**
       * What harness itself took: since the turn began, or since the reply of the step before, without
       * the time in which a model, an action, a program or a person was waited for.
       */
      overhead_ms: z.number().optional(),
    }),
    z.strictObject({
      ...numbered,
      type: z.literal("step_failed"),
      ...step,
      failure: Failure,
      unanswered,
      /** From the request to its failure. */
      duration_ms: z.number().optional(),
      overhead_ms: z.number().optional(),
    }),
    z.strictObject({ ...numbered, type: z.literal("results"), ...step, message: ToolMessage }),
    z.strictObject({
      ...numbered,
      type: z.literal("program_started"),
      ...step,
      program: z.int().positive(),
      call_id: z.string(),
      language: z.string(),
      source: z.string(),
    }),
    z.strictObject({
      ...numbered,
      type: z.literal("program_ended"),
      ...step,
      program: z.int().positive(),
      status: ProgramStatus,
      exit_code: z.union([z.int(), z.string()]).nullable(),
      error: z.string().nullable(),
      calls: z.int().nonnegative(),
      output_characters: z.int().nonnegative(),
      output_bytes: z.int().nonnegative(),
      output_sha256: Sha256,
      /** There was no room for its source and output, so that nothing is kept; else absent. */
      output_kept: z.literal(false).optional(),
      elapsed_ms: z.number(),
      /** False when the interpreter was replaced: variables of earlier programs are gone. */
      variables_kept: z.boolean(),
    }),
    z.strictObject({
      ...numbered,
      type: z.literal("action_proposed"),
      ...step,
      action_id: z.string(),
      origin: Origin,
      environment: z.string(),
      action: z.string(),
      effect: Effect,
      input: JsonObject,
      /** What it needs leave for beyond its effect. */
      permits: z.array(PermitWanted).optional(),
      verdict: Verdict,
      /** What gave the verdict: `mode:gate`, `rule:2`, `permit:<name>`, `policy:<name>`, `verify`. */
      rule: z.string(),
    }),
    ...requestEvents(),
    z.strictObject({
      ...numbered,
      type: z.literal("action_ended"),
      action_id: z.string(),
      action: z.string(),
      /** The result in one line for people, where the action has words of its own for it. */
      summary: z.string().optional(),
      /** The result as the caller got it; long texts are replaced by their hash and size. */
      result: JsonObject,
      receipt: ActionReceipt,
    }),
    /** The end of a process that its action, `action_id`, left running. */
    z.strictObject({
      ...numbered,
      type: z.literal("process_ended"),
      action_id: z.string(),
      /** What it left since the action ended, its output included. */
      evidence_bytes: z.int().nonnegative(),
      evidence: z.array(EvidenceLink),
      process: ProcessReceipt,
    }),
    ...goingOn(),
    z.strictObject({
      ...numbered,
      type: z.literal("verification_ended"),
      command: z.string(),
      action_id: z.string(),
      verification: Verification,
    }),
    z.strictObject({
      ...numbered,
      type: z.literal("turn_ended"),
      turn: z.int().positive(),
      ending: Ending,
      verification: Verification,
      /** What harness itself took since the last reply, in the same sense as that of a step. */
      overhead_ms: z.number().optional(),
      /** The chain's hash before this record: the head that an audit walks to. */
      head: Sha256,
    }),
    z.strictObject({
      ...numbered,
      type: z.literal("conversation_closed"),
      /** How the repository was left: a resume compares. */
      repository: Repository.nullable().optional(),
    }),
    /** The user's `undo` has ended; its actions stand before it, with the origin `undo`. */
    z.strictObject({
      ...numbered,
      type: z.literal("undo_ended"),
      /** Null: of all turns. */
      turn: z.int().positive().nullable(),
      /** Paths. */
      done: z.array(z.string()),
      conflicts: z.array(z.string()),
    }),
    /** A tombstone: from here on no content of this hash is kept, whoever leaves it. */
    z.strictObject({
      ...numbered,
      type: z.literal("evidence_redacted"),
      sha256: Sha256,
      bytes: z.int().nonnegative(),
      reason: z.string().nullable(),
    }),
    /** A tombstone: `gc` removed the artifacts of all that stands before. */
    z.strictObject({
      ...numbered,
      type: z.literal("artifacts_collected"),
      files: z.int().nonnegative(),
      bytes: z.int().nonnegative(),
    }),
    z.strictObject({
      ...numbered,
      type: z.literal("notice"),
      code: z.string(),
      message: z.string(),
    }),
  ]),
)
export type DurableEvent = z.infer<typeof DurableEvent>

/** What a face is told, and what `harness run --json` prints, one line each. */
export const ConversationEvent = z.union([DurableEvent, EphemeralEvent])
export type ConversationEvent = z.infer<typeof ConversationEvent>

/** An event with the conversation it belongs to: the kernel's one stream. */
export const KernelEvent = z.strictObject({ conversation: z.string(), event: ConversationEvent })
export type KernelEvent = z.infer<typeof KernelEvent>

type Without<Event, Keys extends PropertyKey> = Event extends unknown ? Omit<Event, Keys> : never

/** A durable event before the log has numbered and dated it, and put its own head into it. */
export type EventBody = Without<DurableEvent, "seq" | "at" | "head">

/** A passing event before the conversation has placed it. */
export type PassingBody = Without<EphemeralEvent, "after">

/** One line of `log.jsonl`: the event and the hash that chains it to the line before. */
export const LogRecord = z.intersection(DurableEvent, z.object({ hash: Sha256 }))
export type LogRecord = z.infer<typeof LogRecord>
