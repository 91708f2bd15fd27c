import type { ImageLimits, ImageSource } from "@harness/protocol"
import type sharpOf from "sharp"
import type { Sharp } from "sharp"

/** What an image must fit in, and what may be spent on it. */
export type CodecLimits = Pick<
  ImageLimits,
  "media_types" | "longest_side_pixels" | "limit_bytes"
> & {
  /** Width times height of what is decoded. */
  pixels: number
  seconds: number
}

export type Coded = {
  media_type: string
  width: number
  height: number
  source: ImageSource
  /** Null: the bytes are sent as they came. */
  bytes: Uint8Array | null
}

/** JPEG is tried at these, and at the last one in ever smaller sizes. */
const qualities = [85, 70, 55]
const shrink = 0.75
const leastSidePixels = 64

/**
 * Decodes an image to its last row and makes of it what fits the limits: the same bytes when they do,
 * else PNG or JPEG. Throws what the library throws of a damaged one, and `too_large`.
 */
export async function recode(
  bytes: Uint8Array,
  limits: CodecLimits,
  sharp: typeof sharpOf,
): Promise<Coded> {
  const open = () =>
    sharp(bytes, { limitInputPixels: limits.pixels, failOn: "error" })
      .autoOrient()
      .timeout({ seconds: limits.seconds })
  const { format, hasAlpha, pages = 1, orientation = 1, autoOrient } = await open().metadata()
  const media_type = `image/${format}`
  const source = { media_type, ...sizeOf(autoOrient), bytes: bytes.length, frames: pages }

  const longest = Math.max(source.width, source.height)
  const fits =
    longest <= limits.longest_side_pixels &&
    bytes.length <= limits.limit_bytes &&
    limits.media_types.includes(media_type) &&
    pages === 1 &&
    orientation === 1
  if (fits) {
    await decodeAll(open())
    return { media_type, ...sizeOf(source), source, bytes: null }
  }

  const scaled = (side: number) =>
    open().resize(side, side, { fit: "inside", withoutEnlargement: true })
  const side = Math.min(longest, limits.longest_side_pixels)
  // A photo stays one; a screenshot keeps its sharp edges where it fits.
  if ((media_type !== "image/jpeg" || hasAlpha) && limits.media_types.includes("image/png")) {
    const coded = await scaled(side).png().toBuffer({ resolveWithObject: true })
    if (coded.data.length <= limits.limit_bytes) return codedAs("image/png", coded, source)
  }
  for (const quality of qualities) {
    const coded = await asJpeg(scaled(side), quality)
    if (coded.data.length <= limits.limit_bytes) return codedAs("image/jpeg", coded, source)
  }
  for (let smaller = side * shrink; smaller >= leastSidePixels; smaller *= shrink) {
    const coded = await asJpeg(scaled(Math.round(smaller)), qualities.at(-1) ?? 50)
    if (coded.data.length <= limits.limit_bytes) return codedAs("image/jpeg", coded, source)
  }
  throw new Error("too_large")
}

/** What is cut off shows only at the end. */
async function decodeAll(image: Sharp): Promise<void> {
  await image.resize(8, 8, { fit: "inside", fastShrinkOnLoad: false }).raw().toBuffer()
}

function asJpeg(image: Sharp, quality: number) {
  return image
    .flatten({ background: "#ffffff" })
    .jpeg({ quality })
    .toBuffer({ resolveWithObject: true })
}

function codedAs(
  media_type: string,
  { data, info }: { data: Uint8Array; info: { width: number; height: number } },
  source: ImageSource,
): Coded {
  return { media_type, ...sizeOf(info), source, bytes: data }
}

function sizeOf({ width, height }: { width: number; height: number }) {
  return { width, height }
}
