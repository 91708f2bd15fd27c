import * as z from "zod"
import { ApproveMode, Style } from "./config.ts"

const conversation = z.string()

/** Commands that steer a conversation which is open. */
export const steeringCommands = [
  /**
   * Hands a message to the turn that runs: it stands before the turn's next step, and a turn whose
   * answer has just come goes on with it. Refused (`command_invalid`) when no turn runs: then `send` it.
   */
  z.strictObject({
    type: z.literal("queue"),
    conversation,
    text: z.string().min(1),
    images: z.array(z.strictObject({ name: z.string(), base64: z.base64() })).optional(),
  }),
  /** Takes back what is queued and not yet delivered; the answer holds it. */
  z.strictObject({ type: z.literal("unqueue"), conversation }),
  /** From the next step on. The same session goes on; what the model must know of it is announced. */
  z.strictObject({
    type: z.literal("configure"),
    conversation,
    model: z.string().optional(),
    style: Style.optional(),
    approve: ApproveMode.optional(),
  }),
  /** Summarises what went before, as if the window were full. Refused while a turn runs. */
  z.strictObject({ type: z.literal("compact"), conversation }),
  /**
   * The user's own command (`!npm test`), on the same path as the model's: contained, logged, with a
   * receipt; nobody is asked. The model is told of it with the next message. Refused while a turn runs.
   */
  z.strictObject({ type: z.literal("command"), conversation, command: z.string().min(1) }),
  /** What is open in the conversation: its environments, and the processes that run in them. */
  z.strictObject({ type: z.literal("environments"), conversation }),
  /** Files whose path holds the letters, best first: for `@path`. At most `limit`. */
  z.strictObject({
    type: z.literal("paths"),
    conversation,
    letters: z.string(),
    limit: z.int().positive().max(1_000),
  }),
] as const

/** Commands about conversations that are kept, and about what was allowed for good. */
export const keptCommands = [
  /** Of the folder's project, whatever the folder is called now; without one, of every project. */
  z.strictObject({ type: z.literal("conversations"), folder: z.string().optional() }),
  /** All events of one, in order. */
  z.strictObject({ type: z.literal("show"), conversation }),
  /** A new conversation that begins as this one was after that turn (its last one by default). */
  z.strictObject({
    type: z.literal("fork"),
    conversation,
    turn: z.int().positive().optional(),
  }),
  z.strictObject({ type: z.literal("rename"), conversation, title: z.string().min(1).max(200) }),
  /** Removes the conversation's folder. Refused while it is open (`conversation_locked`). */
  z.strictObject({ type: z.literal("delete"), conversation }),
  /** What a person allowed at the gate for the folder's project. */
  z.strictObject({ type: z.literal("approvals"), folder: z.string() }),
  z.strictObject({ type: z.literal("revoke"), folder: z.string(), approval: z.string() }),
] as const
