import * as z from "zod"
import { Price } from "./config.ts"

/** What a provider knows of a model. Null: nobody knows. */
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
  /** When the catalogue that the figures come from was made; null when they come from elsewhere. */
  generated_at: z.iso.date().nullable(),
})
export type ModelInfo = z.infer<typeof ModelInfo>

/** A model with what the user's configuration says of it: that goes before a provider's figures. */
export const ListedModel = z.strictObject({
  ...ModelInfo.shape,
  /** It is the one that a run without `--model` uses. */
  default: z.boolean(),
  /** The figures that the configuration gives. */
  configured: z.array(z.enum(["context_tokens", "output_tokens", "images", "price"])),
})
export type ListedModel = z.infer<typeof ListedModel>

/** A provider that could not say what models it has, and why. */
export const UnlistedProvider = z.strictObject({ provider: z.string(), reason: z.string() })
export type UnlistedProvider = z.infer<typeof UnlistedProvider>

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
