import * as z from "zod"
import { ApproveMode, Style } from "./config.ts"
import { Ending } from "./endings.ts"
import { DurableEvent } from "./events.ts"
import { JsonObject } from "./json.ts"
import { ActionReceipt } from "./receipts.ts"
import { SavedApproval } from "./requests.ts"

/** A conversation as lists show it. */
export const ConversationSummary = z.strictObject({
  id: z.string(),
  /** The shortest beginning of the id that no other conversation has, of at least 6 characters. */
  short_id: z.string(),
  /** Given by `rename`, else the beginning of the first message. */
  title: z.string(),
  /** The folder it worked in last; null when this machine does not know it. */
  folder: z.string().nullable(),
  /** The project's remote, without credentials; null without one. */
  remote: z.string().nullable(),
  model: z.string(),
  started_at: z.iso.datetime(),
  active_at: z.iso.datetime(),
  turns: z.int().nonnegative(),
  steps: z.int().nonnegative(),
  /** USD, of copied turns what they cost where they were made; null when a price is unknown. */
  cost: z.number().nullable(),
  /** Of its last turn; null while one runs or when it was broken off. */
  ending: Ending.nullable(),
  /** Somebody has it open. */
  open: z.boolean(),
})
export type ConversationSummary = z.infer<typeof ConversationSummary>

/** A process that runs in an environment. */
export const RunningProcess = z.strictObject({
  id: z.string(),
  command: z.string(),
  started_at: z.iso.datetime(),
  /** Where it said that it is ready; null when it did not. */
  ready: z.string().nullable(),
})
export type RunningProcess = z.infer<typeof RunningProcess>

/** What a conversation has spent so far. */
export const Spent = z.strictObject({
  steps: z.int().nonnegative(),
  input_tokens: z.int().nonnegative(),
  cached_input_tokens: z.int().nonnegative(),
  output_tokens: z.int().nonnegative(),
  /** USD; null as soon as one step's price is unknown. */
  cost: z.number().nullable(),
})
export type Spent = z.infer<typeof Spent>

/** What an open conversation works with from its next step on, and what it has spent. */
export const ConversationState = z.strictObject({
  /** `provider/model`. */
  model: z.string(),
  style: Style,
  approve: ApproveMode,
  /** The model's window: input and output of one request together; null when nobody knows it. */
  context_tokens: z.int().positive().nullable(),
  spent: Spent,
})
export type ConversationState = z.infer<typeof ConversationState>

/** The answers to the commands that steer a conversation, and to those about kept ones. */
export function steeringAnswers() {
  return [
    z.strictObject({ type: z.literal("queue") }),
    z.strictObject({ type: z.literal("unqueue"), texts: z.array(z.string()) }),
    z.strictObject({ type: z.literal("configure"), state: ConversationState }),
    z.strictObject({
      type: z.literal("compact"),
      status: z.enum(["compacted", "failed", "nothing_to_do"]),
      reason: z.string().nullable(),
    }),
    z.strictObject({ type: z.literal("command"), result: JsonObject, receipt: ActionReceipt }),
    z.strictObject({
      type: z.literal("environments"),
      environments: z.array(
        z.strictObject({
          kind: z.string(),
          folder: z.string(),
          processes: z.array(RunningProcess),
        }),
      ),
    }),
    z.strictObject({ type: z.literal("paths"), paths: z.array(z.string()) }),
    z.strictObject({
      type: z.literal("conversations"),
      conversations: z.array(ConversationSummary),
      /** Logs that cannot be read, and why. */
      damaged: z.array(z.strictObject({ conversation: z.string(), reason: z.string() })),
    }),
    z.strictObject({
      type: z.literal("show"),
      summary: ConversationSummary,
      events: z.array(DurableEvent),
    }),
    z.strictObject({ type: z.literal("fork"), conversation: z.string() }),
    z.strictObject({ type: z.literal("rename"), title: z.string() }),
    z.strictObject({ type: z.literal("delete"), conversation: z.string() }),
    z.strictObject({ type: z.literal("approvals"), approvals: z.array(SavedApproval) }),
    z.strictObject({ type: z.literal("revoke"), approval: SavedApproval }),
  ] as const
}
