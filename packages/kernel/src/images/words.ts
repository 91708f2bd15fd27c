import type { ImagePart, ImageSource } from "@harness/protocol"

/** What was made of an image, for people; null when it is sent as it came. */
export function scaledMessage(
  name: string,
  { image, source }: { image: ImagePart; source: ImageSource },
): string | null {
  const turned = image.width === source.width && image.height === source.height
  if (turned && image.media_type === source.media_type && image.bytes === source.bytes) return null

  const frames = source.frames > 1 ? `, the first of ${source.frames} pictures` : ""
  const from = `${source.media_type}, ${source.width}x${source.height}${frames}`
  return `The model is sent ${name} as ${image.media_type}, ${image.width}x${image.height} (${from}).`
}
