import fc from "fast-check"
import { expect, test } from "vitest"
import { placeAt, positionOf, rowsOf } from "../../../src/terminal/input/layout.ts"
import { markOf, type Piece } from "../../../src/terminal/input/pieces.ts"

const pieces: Piece[] = [{ type: "pasted", text: "one\ntwo\nthree" }]

/** What is shown of each row. */
const shown = (text: string, columns: number) =>
  rowsOf(text, pieces, columns).map(({ cells }) => cells.map(cell => cell.shown).join(""))

test("rows are as wide as what a terminal shows: wide characters and emoji take two columns", () => {
  expect(shown("漢字漢字a", 4)).toEqual(["漢字", "漢字", "a"])
  expect(shown("a👩‍👩‍👧b❤️", 4)).toEqual(["a👩‍👩‍👧b", "❤️"])
  expect(shown("ab\n\ncd", 10)).toEqual(["ab", "", "cd"])
})

test("a piece is shown by its label and is never broken", () => {
  expect(shown(`see ${markOf(0)}!`, 20)).toEqual(["see [pasted 3 lines]", "!"])
  expect(shown(`see ${markOf(0)}`, 10)).toEqual(["see ", "[pasted 3…"])
})

test("what would move the cursor is shown and not obeyed", () => {
  expect(shown("\u001b[2J\ta\u202e", 40)).toEqual(["^[[2J    a<U+202E>"])
})

test("the place that is nearest to a column is in that row, wherever the row ends", () => {
  const text = fc.array(fc.constantFrom("a", "漢", "👩", "\n", "\t", markOf(0), "é"))
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 12 }), fc.nat(15), (parts, columns, column) => {
      const rows = rowsOf(parts.join(""), pieces, columns)
      const found = rows.map((_, row) => positionOf(rows, placeAt(rows, row, column)))
      expect(found.map(({ row }) => row)).toEqual(rows.map((_, row) => row))
      expect(found.every(position => position.column <= column)).toBe(true)
    }),
  )
})
