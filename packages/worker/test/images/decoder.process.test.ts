import sharp from "sharp"
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

const refused = [
  ["image_too_large", "a bomb of 20,000 by 20,000", await bombOf(20_000, 20_000)],
  ["image_damaged", "a header alone", (await picture(80, 80).png().toBuffer()).subarray(0, 33)],
  ["image_damaged", "a GIF that is something else", Buffer.from("GIF89a<?php echo 1;")],
  ["image_damaged", "an SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ["image_damaged", "a TIFF", await picture(40, 40).tiff().toBuffer()],
] as const

test("what is hostile is a value and no crash, and those in the queue are decoded", async () => {
  const decoder = openDecoder()
  const whole = await picture(60, 40).png().toBuffer()

  const decoded = await Promise.all(
    [...refused.map(([, , bytes]) => bytes), whole].map(bytes => decoder.decode(bytes, fitting)),
  )

  const errors = decoded.map(end => (end.status === "failed" ? end.error : end.status))
  expect(errors).toEqual([...refused.map(([error]) => error), "decoded"])
})

test("the most pixels that are decoded take less than half a gigabyte", async () => {
  const wide = { width: 8_000, height: 8_000, channels: 3, background: "red" } as const
  const bytes = await sharp({ create: wide }).png({ compressionLevel: 1 }).toBuffer()

  const decoded = await openDecoder().decode(bytes, fitting)

  expect(decoded).toMatchObject({ status: "decoded", width: 256, height: 256 })
  expect(decoded.status === "decoded" && decoded.peakBytes).toBeLessThan(512 * 1_048_576)
})

test("an abort ends what is being decoded, and what waits for it", async () => {
  const decoder = openDecoder()
  const wide = { width: 6_000, height: 6_000, channels: 4, background: "red" } as const
  const slow = await sharp({ create: wide }).png({ progressive: true }).toBuffer()
  const abort = new AbortController()

  const decoding = [1, 2].map(() => decoder.decode(slow, fitting, abort.signal))
  setTimeout(() => abort.abort(), 50)

  expect(await Promise.all(decoding)).toMatchObject([
    { status: "failed", error: "image_unscaled" },
    { status: "failed", error: "image_unscaled" },
  ])
})
