import { stripVTControlCharacters } from "node:util"
import { createTwoFilesPatch } from "diff"
import fc from "fast-check"
import { expect, test } from "vitest"
import { patchLines } from "../../../src/terminal/render/diff.ts"
import { themeFor } from "../../../src/terminal/render/theme.ts"

const plain = { columns: 80, theme: themeFor({ NO_COLOR: "1" }, true) }
const coloured = { columns: 80, theme: themeFor({ FORCE_COLOR: "1" }, true) }

const patch = `--- a/src/x.ts
+++ b/src/x.ts
@@ -1,2 +1,2 @@
 const a = 1
-let b
+let b = "c"
`

test("a diff without colours is its lines as they are", () => {
  expect(patchLines(patch, plain)).toEqual(patch.trimEnd().split("\n"))
})

test("a diff has its own colours, and what stays or comes those of its language", () => {
  expect(patchLines(patch, coloured)).toEqual([
    "\u001b[1m--- a/src/x.ts\u001b[22m",
    "\u001b[1m+++ b/src/x.ts\u001b[22m",
    "\u001b[36m@@ -1,2 +1,2 @@\u001b[39m",
    " \u001b[35mconst\u001b[39m a = \u001b[33m1\u001b[39m",
    "\u001b[31m-let b\u001b[39m",
    '\u001b[32m+\u001b[39m\u001b[35mlet\u001b[39m b = \u001b[32m"c"\u001b[39m',
  ])
})

test("a removed line that looks like the head of a file is one of its hunk", () => {
  const removed = "--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,1 @@\n--- a comment\n select 1\n"
  expect(patchLines(removed, coloured)[3]).toBe("\u001b[31m--- a comment\u001b[39m")
})

test("whatever two files hold, colours change no character of their diff", () => {
  const file = fc
    .array(fc.constantFrom("a", "/* b", "*/", "`${x", "<b>&amp;", "", "日本", "'"), {
      maxLength: 12,
    })
    .map(lines => lines.map(line => `${line}\n`).join(""))
  fc.assert(
    fc.property(
      file,
      file,
      fc.constantFrom("x.ts", "x.py", "x.html", "x"),
      (before, after, name) => {
        const text = createTwoFilesPatch(`a/${name}`, `b/${name}`, before, after)
        const shown = patchLines(text, coloured).map(line => stripVTControlCharacters(line))
        expect(shown).toEqual(patchLines(text, plain))
        expect(shown).toEqual(text.replace(/\n+$/, "").split("\n"))
      },
    ),
  )
})

test("a hunk of thousands of lines has the colours of a diff alone", () => {
  const added = Array.from({ length: 3_000 }, (_, line) => `+const a${line} = 1`)
  const lines = patchLines(
    ["--- /dev/null", "+++ b/x.ts", "@@ -0,0 +1,3000 @@", ...added].join("\n"),
    coloured,
  )
  expect(lines.at(-1)).toBe("\u001b[32m+\u001b[39mconst a2999 = 1")
})
