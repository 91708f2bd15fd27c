import * as z from "zod"
import { ImagePart } from "./messages.ts"

/** The kinds of images that harness takes, judged by the bytes they begin with. */
export const imageMediaTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const
export type ImageMediaType = (typeof imageMediaTypes)[number]

/** What an image must fit in before it enters the history. */
export const ImageLimits = z.strictObject({
  /** What the model takes; another one is converted to PNG or JPEG. */
  media_types: z.array(z.string()),
  longest_side_pixels: z.int().positive(),
  /** Of the file that the model is sent, before base64. */
  limit_bytes: z.int().positive(),
  /** Images that the result may still take. */
  most: z.int().nonnegative(),
  /** False: the model sees no images, and is told of them in words. */
  seen: z.boolean(),
})
export type ImageLimits = z.infer<typeof ImageLimits>

/** An image as it came. */
export const ImageSource = z.strictObject({
  media_type: z.string(),
  /** As it is looked at: of a photo that was taken on its side, the turned ones. */
  width: z.int().positive(),
  height: z.int().positive(),
  bytes: z.int().nonnegative(),
  /** Of an animation the first one is shown. */
  frames: z.int().positive(),
})
export type ImageSource = z.infer<typeof ImageSource>

/**
 * Why bytes are not shown: `not_an_image` (of no kind that harness takes), `image_damaged` (it cannot
 * be decoded to its end), `image_too_large` (for the limits on bytes and pixels, or it took too long),
 * `too_many_images` (for one result), `evidence_exhausted`, `image_unscaled` (it needs to be decoded
 * and that does not work on this machine).
 */
export const ImageProblem = z.enum([
  "not_an_image",
  "image_damaged",
  "image_too_large",
  "too_many_images",
  "evidence_exhausted",
  "image_unscaled",
])
export type ImageProblem = z.infer<typeof ImageProblem>

/** An image as a model is sent it, or why there is none. */
export const ImageTaken = z.discriminatedUnion("status", [
  z.strictObject({
    status: z.literal("taken"),
    image: ImagePart,
    source: ImageSource,
    /** False: the model sees no images, and is told of them in words. */
    seen: z.boolean(),
  }),
  z.strictObject({
    status: z.literal("refused"),
    error: ImageProblem,
    /** Goes on with a sentence that names the image: `has more pixels than are decoded`. */
    reason: z.string(),
  }),
])
export type ImageTaken = z.infer<typeof ImageTaken>

/**
 * What kind of image bytes begin like; null for none that harness takes. A name says nothing of it,
 * and whether the rest is whole only decoding tells.
 *
 * @example
 * mediaTypeOf(await readFile("shot.png")) // "image/png"
 */
export function mediaTypeOf(bytes: Uint8Array): ImageMediaType | null {
  const text = String.fromCharCode(...bytes.subarray(0, 12))
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "image/png"
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg"
  if (text.startsWith("GIF87a") || text.startsWith("GIF89a")) return "image/gif"
  if (text.startsWith("RIFF") && text.slice(8) === "WEBP") return "image/webp"
  return null
}
