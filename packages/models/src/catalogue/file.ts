import { Price } from "@harness/protocol"
import { z } from "@harness/sdk"

/** What a data file knows of one model. What nobody knows is left out, never 0. */
export const CatalogueModel = z.strictObject({
  /** The window: input and output of one request together. */
  context_tokens: z.optional(z.int().positive()),
  output_tokens: z.optional(z.int().positive()),
  /** What it takes: `text`, `image`. */
  input: z.array(z.string()),
  price: z.optional(Price),
})
export type CatalogueModel = z.infer<typeof CatalogueModel>

/**
 * A data file: the models of one server. `pnpm catalogue` writes it and checks it by this; when it is
 * loaded its type is all that is needed, which the compiler checks.
 */
export const CatalogueFile = z.strictObject({
  generated_at: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  /** What it was made from. */
  source: z.string(),
  /** Of those models that take images. */
  images: z.strictObject({
    media_types: z.array(z.string()),
    longest_side_pixels: z.int().positive(),
    limit_bytes: z.int().positive(),
  }),
  models: z.record(z.string(), CatalogueModel),
})
export type CatalogueFile = z.infer<typeof CatalogueFile>
