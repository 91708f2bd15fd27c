import { styleText } from "node:util"
import fc from "fast-check"
import { expect, test } from "vitest"
import { rowsOf, wrappedWords } from "../../../src/terminal/gate/rows.ts"
import { visible } from "../../../src/text/visible.ts"
import { widthOf } from "../../../src/text/width.ts"

const red = (text: string) => styleText("red", text, { validateStream: false })

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about
const plain = (text: string) => text.replaceAll(/\u001b\[[\d;]*m/g, "")

test("a line that is broken keeps its colours in each row, and none goes on beyond a row", () => {
  expect(rowsOf(`ab${red("cdef")}gh`, 3)).toEqual([
    "ab\u001b[31mc\u001b[0m",
    "\u001b[31mdef\u001b[39m",
    "gh",
  ])
})

test("nothing of a line is left out, and no row is wider than there is room", () => {
  const piece = fc.oneof(
    fc.string({ unit: "grapheme" }).map(visible),
    fc.constantFrom("漢字", "👩", "\t", red("red"), red("赤い")),
  )

  fc.assert(
    fc.property(fc.array(piece), fc.integer({ min: 2, max: 20 }), (pieces, columns) => {
      const line = pieces.join("")
      const rows = rowsOf(line, columns).map(plain)

      expect(rows.join("")).toBe(plain(line).replaceAll("\t", "    "))
      expect(rows.filter(row => widthOf(row) > columns)).toEqual([])
    }),
  )
})

test("words stand in as many rows as they need", () => {
  expect(wrappedWords(["a approve", "d deny", "a word that is long"], 18)).toEqual([
    "a approve · d deny",
    "a word that is lon",
    "g",
  ])
})
