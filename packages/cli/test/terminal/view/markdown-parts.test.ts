import fc from "fast-check"
import { expect, test } from "vitest"
import { finishedParts, lastParts } from "../../../src/terminal/view/markdown-parts.ts"

test("a paragraph is whole when the next one has begun", () => {
  expect(finishedParts("One.\n\nTwo", false)).toEqual({
    parts: [{ markdown: "One.", begins: true }],
    rest: "Two",
    continues: false,
  })
})

test("after an empty line it is waited for what comes: it may belong to the block", () => {
  expect(finishedParts("- one\n\n", false)).toEqual({
    parts: [],
    rest: "- one\n\n",
    continues: false,
  })
  expect(finishedParts("- one\n\n  more of it\n\n- two", false)).toEqual({
    parts: [{ markdown: "- one\n\n  more of it", begins: true }],
    rest: "- two",
    continues: false,
  })
})

test("a code block is whole with its last fence, empty lines in it or not", () => {
  expect(finishedParts("See:\n```ts\na\n\nb\n```\nThen", false)).toEqual({
    parts: [
      { markdown: "See:", begins: true },
      { markdown: "```ts\na\n\nb\n```", begins: true },
    ],
    rest: "Then",
    continues: false,
  })
})

test("a long code block comes in pieces that are code blocks, the second without a gap", () => {
  const lines = Array.from({ length: 14 }, (_, line) => `line ${line}`)
  const { parts, rest, continues } = finishedParts(`\`\`\`sh\n${lines.join("\n")}\n`, false)

  expect(parts).toEqual([
    { markdown: ["```sh", ...lines.slice(0, 12), "```"].join("\n"), begins: true },
  ])
  expect({ rest, continues }).toEqual({ rest: "```sh\nline 12\nline 13\n", continues: true })
  expect(lastParts(`${rest}\`\`\``, continues)).toEqual([
    { markdown: "```sh\nline 12\nline 13\n```", begins: false },
  ])
})

test("a code block that ends where a piece ended leaves no empty one", () => {
  const lines = Array.from({ length: 12 }, (_, line) => `line ${line}`)
  const { rest, continues } = finishedParts(`\`\`\`sh\n${lines.join("\n")}\n`, false)
  expect({ rest, continues }).toEqual({ rest: "```sh\n", continues: true })
  expect(lastParts("```sh\n```\n", true)).toEqual([])
  expect(lastParts("```sh\n", true)).toEqual([])
})

test("a paragraph without end is printed a dozen lines at a time", () => {
  const lines = Array.from({ length: 30 }, (_, line) => `line ${line}`)
  expect(finishedParts(lines.join("\n"), false)).toEqual({
    parts: [
      { markdown: lines.slice(0, 12).join("\n"), begins: true },
      { markdown: lines.slice(12, 24).join("\n"), begins: false },
    ],
    rest: lines.slice(24).join("\n"),
    continues: true,
  })
})

test("no line is lost or told twice, wherever the text is cut", () => {
  const line = fc.constantFrom("one", "- two", "  three", "", "```", "```ts", "| a | b |", "# four")
  fc.assert(
    fc.property(fc.array(line, { maxLength: 80 }), fc.infiniteStream(fc.nat(9)), (lines, cuts) => {
      const text = lines.join("\n")
      let told: string[] = []
      let taken = { rest: "", continues: false }
      for (let at = 0; at < text.length; ) {
        const next = at + 1 + (cuts.next().value ?? 0)
        const { parts, rest, continues } = finishedParts(
          taken.rest + text.slice(at, next),
          taken.continues,
        )
        told = [...told, ...parts.map(({ markdown }) => markdown)]
        taken = { rest, continues }
        at = next
      }
      const last = lastParts(taken.rest, taken.continues).map(({ markdown }) => markdown)

      expect(wordsIn([...told, ...last])).toEqual(wordsIn([text]))
    }),
  )
})

/** Fences are made again for pieces, and empty lines are between parts. */
function wordsIn(texts: readonly string[]): string[] {
  const lines = texts.flatMap(text => text.split("\n"))
  return lines.filter(line => line.trim() !== "" && !line.startsWith("```"))
}
