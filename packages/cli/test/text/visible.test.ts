import fc from "fast-check"
import { expect, test } from "vitest"
import { visible } from "../../src/text/visible.ts"

test("control characters and bidirectional overrides are shown instead of obeyed", () => {
  expect(visible("a\u001b[2J\u0007\u007f\u009b1m\u202eb\rc")).toBe(
    "a^[[2J^G<U+007F><U+009B>1m<U+202E>b^Mc",
  )
})

test("line ends, tabs and all that can be seen stay", () => {
  expect(visible("a\tb\r\nc\n日本 é 🙂")).toBe("a\tb\nc\n日本 é 🙂")
})

test("no text can send a control sequence", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), text => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be left
      expect(visible(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
    }),
  )
})
