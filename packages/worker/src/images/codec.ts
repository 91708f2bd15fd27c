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
const leastQuality = 55
const qualities = [85, 70, leastQuality]
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
  const { format, pages = 1, orientation = 1, autoOrient } = await open().metadata()
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

  // Decoded once, whatever is tried with it then.
  const side = Math.min(longest, limits.longest_side_pixels)
  const { data, info } = await open()
    .resize(side, side, { fit: "inside", withoutEnlargement: true })
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const pixels = () => sharp(data, { raw: { width, height, channels } })

  for (const [type, image] of candidates(pixels, { media_type, side, limits })) {
    const coded = await image.toBuffer({ resolveWithObject: true })
    if (coded.data.length > limits.limit_bytes) continue
    return { media_type: type, ...sizeOf(coded.info), source, bytes: coded.data }
  }
  throw new Error("too_large")
}

/**
 * What is tried, until one is small enough. A photo stays one; a screenshot keeps its sharp edges
 * where it fits.
 */
function* candidates(
  pixels: () => Sharp,
  { media_type, side, limits }: { media_type: string; side: number; limits: CodecLimits },
): Generator<[mediaType: string, image: Sharp]> {
  if (media_type !== "image/jpeg" && limits.media_types.includes("image/png")) {
    yield ["image/png", pixels().png()]
  }
  for (const quality of qualities) yield ["image/jpeg", asJpeg(pixels(), quality)]
  for (let smaller = side * shrink; smaller >= leastSidePixels; smaller *= shrink) {
    const size = Math.round(smaller)
    yield ["image/jpeg", asJpeg(pixels().resize(size, size, { fit: "inside" }), leastQuality)]
  }
}

/** What is cut off shows only at the end. */
async function decodeAll(image: Sharp): Promise<void> {
  await image.resize(8, 8, { fit: "inside", fastShrinkOnLoad: false }).raw().toBuffer()
}

function asJpeg(image: Sharp, quality: number): Sharp {
  return image.flatten({ background: "#ffffff" }).jpeg({ quality })
}

function sizeOf({ width, height }: { width: number; height: number }) {
  return { width, height }
}
