import * as z from "zod"
import { Preview } from "./preview.ts"

/** `after` is the number of the last durable event before it: a late joiner does without these. */
const passing = { after: z.int().nonnegative() }

/** Events that pass: what a face shows while things happen. Never kept. */
export const EphemeralEvent = z.lazy(() =>
  z.discriminatedUnion("type", [
    z.strictObject({ ...passing, type: z.literal("text_delta"), text: z.string() }),
    z.strictObject({ ...passing, type: z.literal("reasoning_delta"), text: z.string() }),
    z.strictObject({
      ...passing,
      type: z.literal("call_delta"),
      call_id: z.string(),
      tool: z.string(),
      text: z.string(),
    }),
    /** The model's provider did not answer yet; the request is made again after so many milliseconds. */
    z.strictObject({
      ...passing,
      type: z.literal("model_waiting"),
      reason: z.string(),
      ms: z.int().nonnegative(),
    }),
    z.strictObject({
      ...passing,
      type: z.literal("program_output"),
      program: z.int().positive(),
      stream: z.enum(["stdout", "stderr"]),
      text: z.string(),
    }),
    /** What a person is to decide by, where it may show a secret: the record of the request says less. */
    z.strictObject({
      ...passing,
      type: z.literal("request_preview"),
      request: z.string(),
      preview: Preview,
    }),
    z.strictObject({
      ...passing,
      type: z.literal("action_output"),
      action_id: z.string(),
      text: z.string(),
    }),
  ]),
)
export type EphemeralEvent = z.infer<typeof EphemeralEvent>
