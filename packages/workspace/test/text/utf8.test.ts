import * as fc from "fast-check"
import { expect, test } from "vitest"
import { decodeText, MARGIN_BYTES, wholeCharacters } from "../../src/text/utf8.ts"
import { notTexts, texts } from "../support/corpus.ts"

const text = fc.string({ unit: "binary", maxLength: 60 })

test.each(texts)("decoding $name and encoding it again gives the same bytes", ({ text }) => {
  const bytes = new TextEncoder().encode(text)
  expect(decodeText(bytes)).toEqual({ status: "text", text })
})

test.each(notTexts)("$name is named and not decoded", ({ bytes, error }) => {
  expect(decodeText(bytes)).toMatchObject({ status: "not_text", error })
})

test("windows that follow each other hold every byte once, whole characters, within the limit", async () => {
  await fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 20 }), (text, limitBytes) => {
      const bytes = new TextEncoder().encode(text)
      const seen: string[] = []
      let offset = 0
      while (offset < bytes.length) {
        const given = bytes.subarray(offset, offset + limitBytes + MARGIN_BYTES)
        const { start, end } = wholeCharacters(given, { limitBytes, continues: offset > 0 })
        const window = given.subarray(start, end)
        const decoded = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(window)

        expect(start).toBe(0)
        expect(end).toBeGreaterThan(0)
        expect(end <= limitBytes || [...decoded].length === 1).toBe(true)
        seen.push(decoded)
        offset += end
      }
      expect(seen.join("")).toBe(text)
    }),
  )
})

test("a window that begins inside a character begins with the next one", async () => {
  await fc.assert(
    fc.property(text, fc.nat(200), (text, offset) => {
      const bytes = new TextEncoder().encode(text)
      const given = bytes.subarray(Math.min(offset, bytes.length))
      const { start, end } = wholeCharacters(given, { limitBytes: 1_000, continues: offset > 0 })
      const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

      expect(start).toBeLessThanOrEqual(3)
      expect(text.endsWith(decoder.decode(given.subarray(start, end)))).toBe(true)
    }),
  )
})
