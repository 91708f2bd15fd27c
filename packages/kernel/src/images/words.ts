import type { ImagePart, ImageSource } from "@harness/protocol"

/** What was made of an image, for people; null when it is sent as it came. */
export function scaledMessage(
  name: string,
  { image, source }: { image: ImagePart; source: ImageSource },
): string | null {
  // Whatever is changed is written anew, with other bytes.
  if (image.media_type === source.media_type && image.bytes === source.bytes) return null

  const frames = source.frames > 1 ? `, the first of ${source.frames} pictures` : ""
  return `The model is sent ${name} as ${inWords(image)}; it is ${inWords(source)}${frames}.`
}

function inWords({ media_type, width, height, bytes }: Omit<ImageSource, "frames">): string {
  return `${media_type}, ${width}x${height}, ${bytes} bytes`
}
