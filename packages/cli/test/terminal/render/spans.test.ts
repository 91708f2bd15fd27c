import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type Span, styledLine, wrapped } from "../../../src/terminal/render/spans.ts"
import { themeFor } from "../../../src/terminal/render/theme.ts"
import { widthOf } from "../../../src/text/width.ts"

const none: Span["styles"] = []

function textOf(line: readonly Span[]): string {
  return line.map(({ text }) => text).join("")
}

describe("a text that is broken into lines", () => {
  test("is broken between words", () => {
    const lines = wrapped([{ text: "one two three", styles: none }], 8)
    expect(lines.map(textOf)).toEqual(["one two", "three"])
  })

  test("is broken in a word that is longer than a line", () => {
    const lines = wrapped([{ text: "a abcdefghij", styles: none }], 4)
    expect(lines.map(textOf)).toEqual(["a", "abcd", "efgh", "ij"])
  })

  test("keeps pieces of one word together whatever they look like", () => {
    const lines = wrapped(
      [
        { text: "see the co", styles: none },
        { text: "de", styles: ["code"] },
        { text: " now", styles: none },
      ],
      9,
    )
    expect(lines).toEqual([
      [{ text: "see the", styles: [] }],
      [
        { text: "co", styles: [] },
        { text: "de", styles: ["code"] },
        { text: " now", styles: [] },
      ],
    ])
  })

  test("has an empty line for an empty text, and a line for each line end", () => {
    expect(wrapped([], 10)).toEqual([[]])
    expect(wrapped([{ text: "a\n\nb", styles: none }], 10).map(textOf)).toEqual(["a", "", "b"])
  })

  test("has no line that is too wide, and loses nothing but spaces", () => {
    const piece = fc.stringMatching(/^[a-z日語🙂 \n]{0,30}$/u)
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 6 }),
        fc.integer({ min: 2, max: 30 }),
        (texts, columns) => {
          const spans = texts.map((text, index) => ({
            text,
            styles: index % 2 === 0 ? none : ["strong" as const],
          }))
          const lines = wrapped(spans, columns).map(textOf)
          expect(lines.filter(line => widthOf(line) > columns)).toEqual([])
          const without = (text: string) => text.replaceAll(/\s/g, "")
          expect(without(lines.join(""))).toBe(without(texts.join("")))
        },
      ),
    )
  })
})

test("a styled line closes its styles, and is plain where there are no colours", () => {
  const line: Span[] = [
    { text: "a", styles: ["strong", "code"] },
    { text: " b", styles: [] },
  ]
  expect(styledLine(line, themeFor({ FORCE_COLOR: "1" }, false))).toBe(
    "\u001b[1m\u001b[36ma\u001b[39m\u001b[22m b",
  )
  expect(styledLine(line, themeFor({ NO_COLOR: "1" }, true))).toBe("a b")
})
