import fc from "fast-check"
import { expect, test } from "vitest"
import { mediaTypeOf } from "../src/index.ts"

const latin1 = (text: string) => Buffer.from(text, "latin1")

test.each([
  ["image/png", "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", "\xff\xd8\xff\xe0"],
  ["image/gif", "GIF87a"],
  ["image/gif", "GIF89a"],
  ["image/webp", "RIFF\x24\x00\x00\x00WEBPVP8 "],
])("%s is known by its first bytes, whatever comes after", (mediaType, beginning) => {
  fc.assert(
    fc.property(fc.uint8Array(), rest => {
      expect(mediaTypeOf(Buffer.concat([latin1(beginning), rest]))).toBe(mediaType)
    }),
  )
})

test.each([
  ["nothing", ""],
  ["a PNG whose line ends were converted", "\x89PNG\n\x1a\n"],
  ["sound in the container of WebP", "RIFF\x24\x00\x00\x00WAVEfmt "],
  ["an SVG", '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ["a PDF", "%PDF-1.7"],
  ["a TIFF", "II*\x00"],
  ["an image behind something else", " GIF89a"],
])("%s is no image", (_what, bytes) => {
  expect(mediaTypeOf(latin1(bytes))).toBe(null)
})
