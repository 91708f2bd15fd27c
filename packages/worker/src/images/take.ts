import { type ImageLimits, type ImageTaken, type Limits, mediaTypeOf } from "@harness/protocol"
import { sha256Of } from "../files/content.ts"
import type { Decoder } from "./decoder.ts"

export type TakeOptions = {
  decoder: Decoder
  /** What the model takes. */
  images: ImageLimits
  limits: Pick<Limits, "image_bytes" | "image_pixels">
  /** Ends it at once; what comes back is `image_unscaled`. */
  signal?: AbortSignal
}

type Refused = Extract<ImageTaken, { status: "refused" }>
type Taken = Exclude<ImageTaken, Refused>

/** With the bytes that the model is sent. */
export type Fitted = { taken: Taken; bytes: Uint8Array } | { taken: Refused; bytes: null }

/** Judges an image by its bytes and makes it fit what the model takes. */
export async function takeImage(
  bytes: Uint8Array,
  { decoder, images, limits, signal }: TakeOptions,
): Promise<Fitted> {
  const most = limits.image_bytes
  if (bytes.length > most) {
    return refused("image_too_large", `has ${bytes.length} bytes; at most ${most} are read`)
  }
  if (mediaTypeOf(bytes) === null) {
    const reason = bytes.length === 0 ? "is empty" : "is not a PNG, JPEG, GIF or WebP image"
    return refused("not_an_image", reason)
  }

  const { media_types, longest_side_pixels, limit_bytes, seen } = images
  const fitting = { media_types, longest_side_pixels, limit_bytes, pixels: limits.image_pixels }
  const decoded = await decoder.decode(bytes, fitting, signal)
  if (decoded.status === "failed") return refused(decoded.error, decoded.reason)

  const { media_type, width, height, source, bytes: sent } = decoded
  const place = { evidence: sha256Of(sent), bytes: sent.length }
  const image = { type: "image" as const, media_type, width, height, ...place }
  return { taken: { status: "taken", image, source, seen }, bytes: sent }
}

export function refused(error: Refused["error"], reason: string): { taken: Refused; bytes: null } {
  return { taken: { status: "refused", error, reason }, bytes: null }
}
