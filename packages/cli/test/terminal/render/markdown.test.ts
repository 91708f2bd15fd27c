import { describe, expect, test } from "vitest"
import { markdownLines } from "../../../src/terminal/render/markdown.ts"
import { themeFor } from "../../../src/terminal/render/theme.ts"

const plain = themeFor({ NO_COLOR: "1" }, true)
const lines = (markdown: string, columns = 40) => markdownLines(markdown, { columns, theme: plain })

describe("Markdown as lines", () => {
  test("is a heading, paragraphs and what stands in them", () => {
    expect(lines("# Title\n\nA **bold** `word`, [here](https://a.b/c) and [x](x).")).toEqual([
      "Title",
      "",
      "A bold word, here (https://a.b/c) and x.",
    ])
  })

  test("is lists, one in the other, with what was ticked off", () => {
    expect(lines("- one\n- two\n  1. first\n  2. second\n- [x] done\n- [ ] open")).toEqual([
      "- one",
      "- two",
      "  1. first",
      "  2. second",
      "- [x] done",
      "- [ ] open",
    ])
  })

  test("breaks a list's text under its beginning", () => {
    expect(lines("10. one two three four", 14)).toEqual(["10. one two", "    three four"])
  })

  test("never breaks code", () => {
    const code = `echo ${"x".repeat(60)}`
    expect(lines(`\`\`\`sh\n${code}\n\`\`\``, 20)).toEqual([`  ${code}`])
  })

  test("is a quotation with a bar before each line", () => {
    expect(lines("> one two\n> three", 10)).toEqual(["│ one two", "│ three"])
  })

  test("is a table whose cells stand under each other, wide characters too", () => {
    expect(lines("| a | b |\n|---|---|\n| 日本 | x |\n| y | **z** |")).toEqual([
      "a     b",
      "────  ─",
      "日本  x",
      "y     z",
    ])
  })

  test("breaks a table's cells where it is too wide, and lists them where that has no room", () => {
    const table = "| name | what it is |\n|---|---|\n| alpha | one two three four |"
    expect(lines(table, 22)).toEqual([
      "name   what it is",
      "─────  ───────────────",
      "alpha  one two three",
      "       four",
    ])
    expect(lines(table, 10)).toEqual(["name:", "alpha", "what it", "is: one", "two three", "four"])
  })

  test("shows control characters, entities and HTML as text", () => {
    expect(lines("a\u001b[2Jb &lt;i&gt; <b>c</b>")).toEqual(["a^[[2Jb <i> <b>c</b>"])
  })
})
