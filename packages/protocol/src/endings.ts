import * as z from "zod"
import { Failure } from "./failures.ts"

export const LimitReason = z.enum([
  "cost",
  "steps",
  "tokens",
  "wall",
  "context",
  "evidence",
  "disk",
])
export type LimitReason = z.infer<typeof LimitReason>

/** How a turn ended. Whether the task is done is another field: see {@link Verification}. */
export const Ending = z.discriminatedUnion("status", [
  z.strictObject({ status: z.literal("answered") }),
  z.strictObject({
    status: z.literal("limit_reached"),
    limit: LimitReason,
    /** What was reached and how to go on, in one sentence. */
    message: z.string(),
  }),
  z.strictObject({ status: z.literal("interrupted"), reason: z.string() }),
  z.strictObject({ status: z.literal("failed"), failure: Failure }),
])
export type Ending = z.infer<typeof Ending>

/** Set only by a command that the user named (`--verify`). */
export const Verification = z.enum(["not_requested", "passed", "failed"])
export type Verification = z.infer<typeof Verification>
