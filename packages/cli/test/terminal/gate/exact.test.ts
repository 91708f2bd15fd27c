import fc from "fast-check"
import { expect, test } from "vitest"
import { exactly, exactlyDiff } from "../../../src/terminal/gate/exact.ts"

test("what cannot be seen is named, and what can be stays as it is", () => {
  const said = [
    "rm\u200b -rf\u00a0x",
    "a\r\nb\rc",
    "pay\u202epal",
    "\ufeffcd",
    "x\u2028y",
    "a\u200db",
    "1\ufe0f",
    "\u{e0041}",
  ].map(exactly)

  expect(said).toEqual([
    "rm<U+200B> -rf\u00a0x",
    "a^M\nb^Mc",
    "pay<U+202E>pal",
    "<U+FEFF>cd",
    "x<U+2028>y",
    "a<U+200D>b",
    "1<U+FE0F>",
    "<U+E0041>",
  ])
  for (const text of ["漢字\tñ e\u0301", "👩‍💻 ❤️ 1️⃣", "می‌خواهم", "क्‍ष"]) {
    expect(exactly(text)).toBe(text)
  }
})

test("a diff of a file whose lines all end in CRLF does not name their ends, one that changes an end does", () => {
  const head = "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n"

  expect(exactlyDiff(`${head} a\r\n-b\r\n+c\r\n`)).toBe(`${head} a\n-b\n+c\n`)
  expect(exactlyDiff(`${head} a\r\n-b\r\n+b\n`)).toBe(`${head} a^M\n-b^M\n+b\n`)
})

test("two texts that differ look different", () => {
  const units = fc.constantFrom(
    "a",
    " ",
    "\n",
    "\r",
    "\t",
    "\u200b",
    "\u202e",
    "\u001b",
    "漢",
    "👩",
  )
  const text = fc.array(units, { maxLength: 8 }).map(all => all.join(""))

  fc.assert(
    fc.property(text, text, (one, other) => {
      fc.pre(one !== other)
      expect(exactly(one)).not.toBe(exactly(other))
    }),
  )
})
