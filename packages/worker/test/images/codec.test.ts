import sharp, { type Sharp } from "sharp"
import { expect, test } from "vitest"
import { recode } from "../../src/images/codec.ts"
import { fitting, picture } from "./support.ts"

function recoded(bytes: Uint8Array, limits: Partial<typeof fitting> = {}) {
  return recode(bytes, { ...fitting, seconds: 20, ...limits }, sharp)
}

test.each([
  ["png", "image/png", await picture(1_200, 900).png().toBuffer()],
  ["jpeg", "image/jpeg", await picture(1_200, 900).jpeg().toBuffer()],
  ["webp", "image/png", await picture(1_200, 900).webp().toBuffer()],
  ["gif", "image/png", await picture(1_200, 900).gif().toBuffer()],
])("a %s that is too large is scaled down, and comes as %s", async (format, media_type, bytes) => {
  const { bytes: sent, ...coded } = await recoded(bytes, { limit_bytes: 500_000 })

  expect(coded).toEqual({
    media_type,
    width: 256,
    height: 192,
    source: {
      media_type: `image/${format}`,
      width: 1_200,
      height: 900,
      bytes: bytes.length,
      frames: 1,
    },
  })
  expect(await sharp(sent ?? bytes).metadata()).toMatchObject({
    format: media_type.replace("image/", ""),
    width: 256,
    height: 192,
  })
})

test("a photo taken on its side is turned, for a model does not look at its tags", async () => {
  const bytes = await picture(120, 80).jpeg().withMetadata({ orientation: 6 }).toBuffer()

  expect(await recoded(bytes)).toMatchObject({
    width: 80,
    height: 120,
    source: { width: 80, height: 120 },
  })
})

test("of an animation the first picture is shown", async () => {
  const frames = await Promise.all([picture(40, 40), picture(40, 40).negate()].map(toRaw))
  const raw = { width: 40, height: 80, channels: 3, pageHeight: 40 } as const
  const bytes = await sharp(Buffer.concat(frames), { raw }).gif().toBuffer()

  expect(await recoded(bytes, { media_types: ["image/png", "image/gif"] })).toMatchObject({
    media_type: "image/png",
    width: 40,
    height: 40,
    source: { media_type: "image/gif", frames: 2 },
  })
})

test.each([
  ["bytes for a PNG", 20_000, "image/jpeg", 256],
  ["bytes for its size", 2_000, "image/jpeg", 108],
])("with too few %s it becomes a JPEG, and a smaller one until it fits", async (...row) => {
  const [, limit_bytes, media_type, width] = row
  const bytes = await picture(256, 256).png().toBuffer()

  const coded = await recoded(bytes, { limit_bytes })

  expect(coded).toMatchObject({ media_type, width })
  expect(coded.bytes?.length).toBeLessThanOrEqual(limit_bytes)
})

test("one that cannot be made small enough is told so", async () => {
  const bytes = await picture(256, 256).png().toBuffer()

  await expect(recoded(bytes, { limit_bytes: 100 })).rejects.toThrow("too_large")
})

test.each([
  ["a PNG", await picture(800, 800).png().toBuffer()],
  ["a JPEG", await picture(800, 800).jpeg().toBuffer()],
  ["a WebP", await picture(800, 800).webp().toBuffer()],
  ["a small PNG that would be sent as it is", await picture(200, 200).png().toBuffer()],
  ["a small JPEG that would be sent as it is", await picture(200, 200).jpeg().toBuffer()],
])("half of %s is refused", async (_what, bytes) => {
  await expect(recoded(bytes.subarray(0, bytes.length >> 1))).rejects.toThrow()
})

test("what hides behind a small image's end is not decoded, and the image is sent as it came", async () => {
  const whole = await picture(60, 40).png().toBuffer()
  const bytes = Buffer.concat([whole, Buffer.from("PK\x03\x04 something else")])

  expect(await recoded(bytes)).toMatchObject({ media_type: "image/png", bytes: null })
})

function toRaw(image: Sharp): Promise<Buffer> {
  return image.raw().toBuffer()
}
