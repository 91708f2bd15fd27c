import { Ending, Usage, UserMessage } from "@harness/protocol"
import * as z from "zod"

const overhead_ms = z.number().optional()
const unanswered = z.int().optional()

/** What statistics need of a record: parts of the event of the same name. */
const CountedRecord = z.discriminatedUnion("type", [
  z.object({ type: z.literal("conversation_started"), model: z.string() }),
  z.object({ type: z.literal("conversation_resumed"), model: z.string() }),
  z.object({ type: z.literal("settings_changed"), model: z.string().optional() }),
  z.object({ type: z.literal("conversation_forked"), from_seq: z.int() }),
  z.object({ type: z.literal("conversation_renamed"), title: z.string() }),
  z.object({ type: z.literal("turn_started") }),
  z.object({ type: z.literal("user_message"), message: UserMessage }),
  z.object({ type: z.literal("step_started"), model: z.string() }),
  z.object({
    type: z.literal("step_ended"),
    usage: Usage,
    cost: z.number().nullable(),
    unanswered,
    duration_ms: z.number(),
    overhead_ms,
  }),
  z.object({
    type: z.literal("step_failed"),
    unanswered,
    duration_ms: z.number().optional(),
    overhead_ms,
  }),
  z.object({ type: z.literal("compaction_started"), model: z.string() }),
  z.object({
    type: z.literal("compaction_ended"),
    usage: Usage,
    cost: z.number().nullable(),
    unanswered,
    duration_ms: z.number(),
  }),
  z.object({ type: z.literal("turn_ended"), ending: Ending, overhead_ms }),
  z.object({ type: z.literal("conversation_closed") }),
])
export type CountedRecord = z.infer<typeof CountedRecord>

const types: ReadonlySet<string> = new Set(
  CountedRecord.options.map(({ shape }) => shape.type.value),
)

/** Whether a record of that type counts; the others need not be parsed. */
export function counts(type: string): boolean {
  return types.has(type)
}

/** Null: the line is not such a record. */
export function parseCounted(text: string): CountedRecord | null {
  try {
    return CountedRecord.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
