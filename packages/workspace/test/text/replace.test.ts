import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { replaceText } from "../../src/text/replace.ts"
import { texts } from "../support/corpus.ts"

const flat = (text: string) => text.replaceAll("\r\n", "\n")

test.each(texts)("an edit of a text with $name changes the words alone", given => {
  const { text, oldText, newText } = given
  const at = text.indexOf(oldText)
  expect(replaceText(text, { oldText, newText, all: false })).toEqual({
    status: "replaced",
    text: text.slice(0, at) + newText + text.slice(at + oldText.length),
    replaced: 1,
    firstLine: text.slice(0, at).split("\n").length,
  })
})

const piece = fc.constantFrom("a", "b", "é", "😀", "\n", "\r\n", "\r", " ", "\uFEFF")
const mixed = fc.array(piece, { maxLength: 24 }).map(pieces => pieces.join(""))
const some = fc.array(piece, { minLength: 1, maxLength: 3 }).map(pieces => pieces.join(""))

/** New text without a CR alone: before a line break, that would be read as a part of it. */
const fresh = mixed.map(text => text.replace(/\r(?!\n)/g, ""))

test("every byte outside the replaced range stays, and the range says what was asked for", async () => {
  await fc.assert(
    fc.property(mixed, some, mixed, fresh, (before, oldText, after, newText) => {
      const text = before + oldText + after
      const edited = replaceText(text, { oldText, newText, all: false })
      fc.pre(edited.status === "replaced")
      if (edited.status !== "replaced") return

      const at = flat(text).indexOf(flat(oldText))
      const rest = flat(text).length - at - flat(oldText).length
      const head = originalPrefix(text, at)
      const tail = originalSuffix(text, rest)

      expect(edited.text.startsWith(head)).toBe(true)
      expect(edited.text.endsWith(tail)).toBe(true)
      const middle = edited.text.slice(head.length, edited.text.length - tail.length)
      expect(flat(middle)).toBe(flat(newText))
    }),
    { numRuns: 2_000 },
  )
})

test("without CRLF anywhere an edit is a plain exchange of text", async () => {
  const plain = fc.array(fc.constantFrom("a", "b", "é", "\n", "😀"), { maxLength: 24 })
  const word = fc.constantFrom("a", "ab", "\n", "é\n", "😀a")
  await fc.assert(
    fc.property(plain, word, word, fc.boolean(), (pieces, oldText, newText, all) => {
      const text = pieces.join("")
      const edited = replaceText(text, { oldText, newText, all })
      if (edited.status === "replaced") {
        const wanted = all
          ? text.replaceAll(oldText, () => newText)
          : text.replace(oldText, () => newText)
        expect(edited.text).toBe(wanted)
      } else {
        const found = text.split(oldText).length - 1
        const same = { found: found === 0, equal: oldText === newText, many: found > 1 && !all }
        expect(Object.values(same).some(Boolean)).toBe(true)
      }
    }),
    { numRuns: 1_000 },
  )
})

describe("line endings", () => {
  const edit = (text: string, oldText: string, newText: string) => {
    const edited = replaceText(text, { oldText, newText, all: false })
    return edited.status === "replaced" ? edited.text : edited.status
  }

  test("LF in old_text finds CRLF, and LF in new_text is written as CRLF", () => {
    expect(edit("a\r\nb\r\nc\r\n", "a\nb\n", "a\nx\nb\n")).toBe("a\r\nx\r\nb\r\nc\r\n")
  })

  test("CRLF in old_text finds LF, and CRLF in new_text is written as LF", () => {
    expect(edit("a\nb\nc\n", "a\r\nb", "a\r\nx\r\nb")).toBe("a\nx\nb\nc\n")
  })

  test("a line put into a text of mixed endings ends as the line that it is put before", () => {
    expect(edit("a\nb\r\nc\n", "b", "x\nb")).toBe("a\nx\r\nb\r\nc\n")
  })

  test("lines of an edit that do not differ keep their own endings", () => {
    expect(edit("a\r\nb\nc\r\n", "a\nb\nc", "a\nB\nc")).toBe("a\r\nB\nc\r\n")
  })

  test("a line put after the last one, which is open, ends as the one before", () => {
    expect(edit("a\r\nb", "b", "b\nc")).toBe("a\r\nb\r\nc")
  })

  test("an edit that differs in line endings alone changes nothing and says so", () => {
    expect(edit("a\r\nb\r\n", "a\nb", "a\r\nb")).toBe("no_change")
    expect(edit("a\nb\n", "a\nb", "a\r\nb")).toBe("no_change")
  })

  test("a text that stands once with each ending is found twice", () => {
    const edited = replaceText("a\r\nb\n-\na\nb\n", { oldText: "a\nb", newText: "x", all: false })
    expect(edited).toEqual({ status: "ambiguous_match", found: 2, lines: [1, 4] })
  })
})

test("old text at several places is refused with the lines of each", () => {
  const edited = replaceText("aXa\n\naXaXa\n", { oldText: "aXa", newText: "b", all: false })
  expect(edited).toEqual({ status: "ambiguous_match", found: 3, lines: [1, 3, 3] })
})

test("all places that do not overlap are replaced when asked for, each with its own ending", () => {
  const edited = replaceText("a\r\nb\na\nb\r\n", { oldText: "a", newText: "x\ny", all: true })
  expect(edited).toEqual({
    status: "replaced",
    text: "x\r\ny\r\nb\nx\ny\nb\r\n",
    replaced: 2,
    firstLine: 1,
  })
})

test("text that is not there is answered with the lines most like it", () => {
  const text = "function parse(input) {\n  return input.split(',')\n}\n"
  const edited = replaceText(text, { oldText: "return input.split(';')", newText: "", all: false })
  expect(edited).toEqual({
    status: "no_match",
    nearest: [{ line: 2, text: "  return input.split(',')" }],
  })
})

/** The part of `text` that reads as `length` characters when every CRLF counts as one. */
function originalPrefix(text: string, length: number): string {
  let end = 0
  for (let left = length; left > 0; left -= 1) end += text.startsWith("\r\n", end) ? 2 : 1
  return text.slice(0, end)
}

function originalSuffix(text: string, length: number): string {
  return text.slice(originalPrefix(text, flat(text).length - length).length)
}
