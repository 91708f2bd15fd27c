import type { ImagePart, Message } from "@harness/protocol"

/** About what vendors count: one token for so many pixels. */
const pixelsPerToken = 750

/** What an image takes of a model's window, about; vendors' own rules differ by a factor of two. */
export function imageTokens({ width, height }: Pick<ImagePart, "width" | "height">): number {
  return Math.ceil((width * height) / pixelsPerToken)
}

/** The images that a message shows. */
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
