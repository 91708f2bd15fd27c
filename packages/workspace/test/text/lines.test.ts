import * as fc from "fast-check"
import { expect, test } from "vitest"
import { countLines, lineRange } from "../../src/text/lines.ts"

const text = fc
  .array(fc.string({ unit: "binary", maxLength: 12 }), { maxLength: 8 })
  .map(lines => lines.join("\n"))

const linesOf = (text: string) => (text === "" ? [] : text.replace(/\n$/, "").split("\n"))

test("lines are counted as an editor counts them: a newline at the end opens no line", async () => {
  await fc.assert(
    fc.property(text, text => {
      expect(countLines(new TextEncoder().encode(text))).toBe(linesOf(text).length)
    }),
  )
})

test("a range holds the lines that were asked for, with their numbers", async () => {
  await fc.assert(
    fc.property(
      text,
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 9 }),
      (...given) => {
        const [text, line, lines] = given
        const all = linesOf(text)
        fc.pre(line <= all.length)

        const bytes = new TextEncoder().encode(text)
        const range = lineRange(bytes, { line, lines, limitBytes: 100_000 })
        const shown = linesOf(Buffer.from(bytes.subarray(range.start, range.end)).toString())
        const wanted = all.slice(line - 1, line - 1 + lines)

        expect(shown).toEqual(wanted)
        expect([range.firstLine, range.lastLine]).toEqual([line, line - 1 + wanted.length])
      },
    ),
  )
})

test("of more lines than fit, whole ones are kept", () => {
  const bytes = Buffer.from("one\ntwo\nthree\n")
  const range = lineRange(bytes, { line: 1, lines: 9, limitBytes: 10 })
  expect(range).toEqual({ start: 0, end: 8, firstLine: 1, lastLine: 2 })
})

test("a line that does not fit is cut between two characters", () => {
  const bytes = Buffer.from("a😀b\nnext\n")
  const range = lineRange(bytes, { line: 1, lines: 1, limitBytes: 4 })
  expect(range).toEqual({ start: 0, end: 1, firstLine: 1, lastLine: 1 })
})

test("a text without lines has none to give", () => {
  const range = lineRange(Buffer.alloc(0), { line: 1, lines: 5, limitBytes: 10 })
  expect(range).toEqual({ start: 0, end: 0, firstLine: 1, lastLine: 0 })
})
