import * as z from "zod"
import { ApproveMode, Sandbox, Style } from "./config.ts"
import { Message, ToolDefinition, Usage } from "./messages.ts"
import { EvidenceLink } from "./receipts.ts"

/** What every durable event has. */
export const numbered = { seq: z.int().positive(), at: z.iso.datetime() }

/** Where in a turn it happened. */
export const step = { turn: z.int().positive(), step: z.int().positive() }

/** The git repository of a folder at one moment. */
export const Repository = z.strictObject({
  /** The commit of HEAD; null without one. */
  head: z.string().nullable(),
  /** Whether files are not as they were committed; null, or absent, when nobody looked. */
  dirty: z.boolean().nullable().optional(),
})
export type Repository = z.infer<typeof Repository>

/**
 * What a model request could come to at most, when it was made. The cost is null when nobody knows the
 * price. A request without an ending counts as this, since it may have been billed.
 */
export const reserved = z
  .strictObject({ cost: z.number().nullable(), tokens: z.int().nonnegative() })
  .optional()

/**
 * How many tries of a request were sent and not refused, and then lost: each may have been billed and
 * counts as `reserved`. Absent: none.
 */
export const unanswered = z.int().positive().optional()

/** The durable events of a conversation that goes on: after its window was full, or after it was closed. */
export function goingOn() {
  return [
    /**
     * The window is too full for the next request: the model is asked to summarise what went before.
     * Where even that could not help, nobody is asked, and the end tells why.
     */
    z.strictObject({
      ...numbered,
      type: z.literal("compaction_started"),
      ...step,
      model: z.string(),
      /** 1 or 2: there are at most two tries. */
      attempt: z.int().positive(),
      reserved,
    }),
    /** Its end. Failed, it changes nothing but what was spent. */
    z.strictObject({
      ...numbered,
      type: z.literal("compaction_ended"),
      ...step,
      model: z.string(),
      attempt: z.int().positive(),
      status: z.enum(["compacted", "failed"]),
      /** Why it failed, in a sentence. */
      reason: z.string().optional(),
      /**
       * From here on these messages stand for all but the last `kept` of those before. The log keeps
       * everything; evidence stays addressable.
       */
      messages: z.array(Message),
      kept: z.int().nonnegative(),
      /** How many messages they stand for; 0 when it failed. */
      replaced: z.int().nonnegative(),
      /** What the next request would have held, and what it holds now; as estimated. */
      tokens: z.strictObject({ before: z.int().nonnegative(), after: z.int().nonnegative() }),
      /** Texts of the user that were too long for the record, which names them. */
      evidence: z.array(EvidenceLink),
      /** All 0 when nobody was asked. */
      usage: Usage,
      /** USD, or null when the price is unknown. */
      cost: z.number().nullable(),
      unanswered,
      duration_ms: z.number(),
    }),
    /** A closed or lost conversation goes on: in what surroundings, and what the model is told of it. */
    z.strictObject({
      ...numbered,
      type: z.literal("conversation_resumed"),
      conversation: z.string(),
      harness_version: z.string(),
      model: z.string(),
      style: Style,
      approve: ApproveMode,
      sandbox: Sandbox,
      network: z.boolean(),
      folder: z.string(),
      repository: Repository.nullable(),
      /** What changed while nobody looked; it goes to the model with the next message. Null: nothing. */
      told: z.string().nullable(),
    }),
    /** The person chose otherwise while it was open; from the next step on. What is absent stayed. */
    z.strictObject({
      ...numbered,
      type: z.literal("settings_changed"),
      model: z.string().optional(),
      /** With a model: its window; null when nobody knows it. */
      context_tokens: z.int().positive().nullable().optional(),
      style: Style.optional(),
      approve: ApproveMode.optional(),
    }),
    z.strictObject({ ...numbered, type: z.literal("conversation_renamed"), title: z.string() }),
    /** The first record of a conversation that goes on from another one; copies of its records follow. */
    z.strictObject({
      ...numbered,
      type: z.literal("conversation_forked"),
      conversation: z.string(),
      from: z.string(),
      /** The last record of `from` that it holds. */
      from_seq: z.int().positive(),
    }),
    /**
     * The instructions or the actions are no longer what was recorded before: from here on requests
     * begin with these. `announced` tells the model, in the next message.
     */
    z.strictObject({
      ...numbered,
      type: z.literal("definitions_changed"),
      instructions: z.string(),
      tools: z.array(ToolDefinition),
      announced: z.string(),
    }),
  ] as const
}
