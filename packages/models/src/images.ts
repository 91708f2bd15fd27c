import type { LanguageModelV4FilePart } from "@ai-sdk/provider"
import type { ImagePart, Message } from "@harness/protocol"

/**
 * What one request shows at most: vendors bound the images of a request and its size in bytes, Google
 * at 20 MB with everything in it.
 */
const most = { images: 50, bytes: 12 * 1_048_576 }

/** Why a model is not shown an image. */
export type Unseen = "blind" | "dropped" | "gone"

/**
 * The images of a conversation that a request shows. When they are too many, or too many bytes, the
 * oldest go until half of that is left: the request's beginning changes seldom, and a provider's cache
 * holds in between. A function of the messages alone, so that a conversation that is resumed sends the
 * same bytes.
 */
export function imagesShown(messages: readonly Message[]): ReadonlySet<ImagePart> {
  const shown: ImagePart[] = []
  let bytes = 0
  for (const image of messages.flatMap(imagesIn)) {
    shown.push(image)
    bytes += image.bytes
    if (shown.length <= most.images && bytes <= most.bytes) continue

    while (shown.length > 1 && (shown.length > most.images / 2 || bytes > most.bytes / 2)) {
      bytes -= shown.shift()?.bytes ?? 0
    }
  }
  return new Set(shown)
}

export function imagesIn(message: Message): ImagePart[] {
  switch (message.role) {
    case "user":
      return message.content.filter(part => part.type === "image")
    case "assistant":
      return []
    case "tool":
      return message.content.flatMap(({ images = [] }) => images)
  }
}

/** The image in the library's form; base64 already, or it would be made of the bytes for each request. */
export function filePart({ media_type }: ImagePart, bytes: Uint8Array): LanguageModelV4FilePart {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64")
  return { type: "file", mediaType: media_type, data: { type: "data", data } }
}

/** What a model is told in the place of an image. */
export function imageNote({ media_type, width, height }: ImagePart, why: Unseen): string {
  return `[an image (${media_type}, ${width}x${height}) that ${reasons[why]}]`
}

const reasons: Record<Unseen, string> = {
  blind: "this model cannot see",
  dropped: "is no longer shown: newer ones took its place",
  gone: "is not kept any more",
}
