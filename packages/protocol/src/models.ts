import * as z from "zod"
import { Price } from "./config.ts"

/** A model as `harness models` shows it. Null: nobody knows. */
export const ModelInfo = z.strictObject({
  /** `provider/model`: what `HARNESS_MODEL` takes. */
  id: z.string(),
  provider: z.string(),
  /** The window: input and output of one request together. */
  context_tokens: z.int().positive().nullable(),
  output_tokens: z.int().positive().nullable(),
  /** Whether it takes images. */
  images: z.boolean().nullable(),
  price: Price.nullable(),
})
export type ModelInfo = z.infer<typeof ModelInfo>

/** What was spent, summed over what the group names: a day, a model, a project. */
export const StatisticsRow = z.strictObject({
  /** `2026-11-30`, `provider/model`, or the project's folder or remote. */
  group: z.string(),
  conversations: z.int().nonnegative(),
  turns: z.int().nonnegative(),
  steps: z.int().nonnegative(),
  input_tokens: z.int().nonnegative(),
  cached_input_tokens: z.int().nonnegative(),
  output_tokens: z.int().nonnegative(),
  reasoning_tokens: z.int().nonnegative(),
  /** USD of the steps whose price is known. */
  cost: z.number().nonnegative(),
  /** Steps whose price is unknown: `cost` claims too little by them. */
  steps_without_cost: z.int().nonnegative(),
  /** What models took, and what harness itself did. */
  model_ms: z.number().nonnegative(),
  overhead_ms: z.number().nonnegative(),
})
export type StatisticsRow = z.infer<typeof StatisticsRow>
