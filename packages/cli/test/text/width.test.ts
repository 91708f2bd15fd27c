import fc from "fast-check"
import { expect, test } from "vitest"
import { clipped, clippedBefore, oneLine, padded, widthOf } from "../../src/text/width.ts"

const anyText = fc.string({ unit: "grapheme" })
const anyWidth = fc.integer({ min: 1, max: 40 })

test("a wide character takes two columns and a combining one none", () => {
  expect(["abc", "日本", "e\u0301", "🙂", "…"].map(widthOf)).toEqual([3, 4, 1, 2, 1])
})

test("a text that fits is left alone, one that does not ends with an ellipsis", () => {
  expect(clipped("abcdef", 6)).toBe("abcdef")
  expect(clipped("abcdef", 5)).toBe("abcd…")
  expect(clipped("日本語", 5)).toBe("日本…")
  expect(clippedBefore("abcdef", 5)).toBe("…cdef")
})

test("a clipped text never takes more columns than it may", () => {
  fc.assert(
    fc.property(anyText, anyWidth, (text, columns) => {
      expect(widthOf(clipped(text, columns))).toBeLessThanOrEqual(columns)
      expect(widthOf(clippedBefore(text, columns))).toBeLessThanOrEqual(columns)
    }),
  )
})

test("padding never shortens and reaches the width", () => {
  fc.assert(
    fc.property(anyText, anyWidth, (text, columns) => {
      expect(widthOf(padded(text, columns, "left"))).toBe(Math.max(columns, widthOf(text)))
    }),
  )
})

test("several lines become one", () => {
  expect(oneLine("  npm test \n\n  npm run lint\n")).toBe("npm test ⏎ npm run lint")
})
