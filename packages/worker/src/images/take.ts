import { type ImageLimits, type ImageTaken, type Limits, mediaTypeOf } from "@harness/protocol"
import type { ActionEvidence } from "../evidence/action-evidence.ts"
import type { Decoder } from "./decoder.ts"

export type TakeOptions = {
  decoder: Decoder
  /** What the model takes. */
  images: ImageLimits
  limits: Pick<Limits, "image_bytes" | "image_pixels">
  /** Where what the model is sent is kept. */
  evidence: ActionEvidence
}

/**
 * Judges an image by its bytes, makes it fit what the model takes and keeps it as evidence. Throws the
 * system's error when it cannot be kept.
 */
export async function takeImage(bytes: Uint8Array, options: TakeOptions): Promise<ImageTaken> {
  const { decoder, images, limits, evidence } = options
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
  const decoded = await decoder.decode(bytes, fitting)
  if (decoded.status === "failed") return refused(decoded.error, decoded.reason)

  const [link] = evidence.keep([{ role: "image", bytes: decoded.bytes }]) ?? []
  if (link === undefined) {
    const reason = "could not be kept: the conversation's evidence has no room left"
    return refused("evidence_exhausted", reason)
  }
  const { media_type, width, height, source } = decoded
  const part = { evidence: link.sha256, media_type, width, height, bytes: link.bytes }
  return { status: "taken", image: { type: "image", ...part }, source, seen }
}

export function refused(
  error: Extract<ImageTaken, { status: "refused" }>["error"],
  reason: string,
): ImageTaken {
  return { status: "refused", error, reason }
}
