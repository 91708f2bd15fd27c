import sharp, { type Sharp } from "sharp"
import { expect, test } from "vitest"
import { bombOf, fitting, openDecoder, picture } from "./support.ts"

test("an image that fits is kept byte for byte", async () => {
  const bytes = await picture(60, 40).png().toBuffer()

  const decoded = await openDecoder().decode(bytes, fitting)

  expect(decoded).toEqual({
    status: "decoded",
    media_type: "image/png",
    width: 60,
    height: 40,
    source: { media_type: "image/png", width: 60, height: 40, bytes: bytes.length, frames: 1 },
    bytes,
    peakBytes: expect.any(Number),
  })
})

test.each([
  ["png", "image/png", await picture(1_200, 900).png().toBuffer()],
  ["jpeg", "image/jpeg", await picture(1_200, 900).jpeg().toBuffer()],
  ["webp", "image/png", await picture(1_200, 900).webp().toBuffer()],
  ["gif", "image/png", await picture(1_200, 900).gif().toBuffer()],
])("a %s that is too large is scaled down, and comes as %s", async (format, media_type, bytes) => {
  const decoded = await openDecoder().decode(bytes, { ...fitting, limit_bytes: 500_000 })

  expect(decoded).toMatchObject({
    status: "decoded",
    media_type,
    width: 256,
    height: 192,
    source: { media_type: `image/${format}`, width: 1_200, height: 900, bytes: bytes.length },
  })
  const sent = decoded.status === "decoded" ? decoded.bytes : Buffer.alloc(0)
  expect(await sharp(sent).metadata()).toMatchObject({
    format: media_type.replace("image/", ""),
    width: 256,
    height: 192,
  })
})

test("a photo taken on its side is turned, for a model does not look at its tags", async () => {
  const bytes = await picture(120, 80).jpeg().withMetadata({ orientation: 6 }).toBuffer()

  const decoded = await openDecoder().decode(bytes, fitting)

  expect(decoded).toMatchObject({ width: 80, height: 120, source: { width: 80, height: 120 } })
})

test("of an animation the first picture is shown", async () => {
  const frames = await Promise.all([picture(40, 40), picture(40, 40).negate()].map(toRaw))
  const bytes = await sharp(Buffer.concat(frames), {
    raw: { width: 40, height: 80, channels: 3, pageHeight: 40 },
  })
    .gif()
    .toBuffer()

  const decoded = await openDecoder().decode(bytes, {
    ...fitting,
    media_types: ["image/png", "image/gif"],
  })

  expect(decoded).toMatchObject({
    media_type: "image/png",
    width: 40,
    height: 40,
    source: { media_type: "image/gif", frames: 2 },
  })
})

test("what is too many bytes as it is becomes a JPEG, and a smaller one until it fits", async () => {
  const bytes = await picture(256, 256).png().toBuffer()

  const decoded = await openDecoder().decode(bytes, { ...fitting, limit_bytes: 4_000 })

  expect(decoded).toMatchObject({ status: "decoded", media_type: "image/jpeg" })
  expect(decoded.status === "decoded" && decoded.bytes.length).toBeLessThanOrEqual(4_000)
})

test.each([
  ["a bomb of 20,000 by 20,000", await bombOf(20_000, 20_000), "image_too_large"],
  ["a header alone", (await picture(80, 80).png().toBuffer()).subarray(0, 33), "image_damaged"],
  ["half a PNG", half(await picture(800, 800).png().toBuffer()), "image_damaged"],
  ["half a JPEG", half(await picture(800, 800).jpeg().toBuffer()), "image_damaged"],
  ["half a WebP", half(await picture(800, 800).webp().toBuffer()), "image_damaged"],
  ["an SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), "image_damaged"],
  ["a TIFF", await picture(40, 40).tiff().toBuffer(), "image_damaged"],
  ["a GIF that is something else", Buffer.from("GIF89a<?php echo 1;"), "image_damaged"],
])("%s is a value and no crash, and takes little memory", async (_what, bytes, error) => {
  const decoded = await openDecoder().decode(bytes, fitting)

  expect(decoded).toEqual({ status: "failed", error, reason: expect.any(String) })
})

test("the most pixels that are decoded take less than half a gigabyte", async () => {
  const wide = { width: 8_000, height: 8_000, channels: 3, background: "red" } as const
  const bytes = await sharp({ create: wide }).png({ compressionLevel: 1 }).toBuffer()

  const decoded = await openDecoder().decode(bytes, fitting)

  expect(decoded).toMatchObject({ status: "decoded", width: 256, height: 256 })
  expect(decoded.status === "decoded" && decoded.peakBytes).toBeLessThan(512 * 1_048_576)
})

function half(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length >> 1)
}

function toRaw(image: Sharp): Promise<Buffer> {
  return image.raw().toBuffer()
}
