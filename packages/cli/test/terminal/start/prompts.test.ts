import { PassThrough } from "node:stream"
import { expect, test } from "vitest"
import { askLine, choose, left } from "../../../src/terminal/start/prompts.ts"
import { capture } from "../../support/capture.ts"

function prompted(signal = new AbortController().signal) {
  const input = new PassThrough()
  const output = capture()
  return { input, output, prompts: { stdin: { isTTY: true, open: () => input }, output, signal } }
}

const models = ["a/small", "a/large", "b/large"].map(value => ({ value, label: value, hint: "h" }))

/** What is picked by lines that are typed, each once the question is asked. */
async function picked(...lines: string[]) {
  const { input, output, prompts } = prompted()
  const answer = choose("Model:", models, prompts, text =>
    text.includes("/") ? text.toUpperCase() : undefined,
  )
  for (const [at, line] of lines.entries()) {
    while (output.text().split("Model: ").length < at + 2) await new Promise(setImmediate)
    input.write(`${line}\n`)
  }
  return { value: await answer, text: output.text() }
}

test.for([
  [["2"], "a/large"],
  [["b/large"], "b/large"],
  [["small"], "a/small"],
  [["LARGE", "2"], "b/large"],
  [["", "1"], "a/small"],
  [["9", "c/d"], "C/D"],
] as const)("%j picks %s", async ([lines, value]) => {
  expect((await picked(...lines)).value).toBe(value)
})

test("letters list what holds them, and a name that there is not is said", async () => {
  expect((await picked("large", "none of it", "1")).text).toBe(
    [
      "  1  a/small  h",
      "  2  a/large  h",
      "  3  b/large  h",
      "Model:   1  a/large  h",
      "  2  b/large  h",
      "Model: Nothing is called none of it.",
      "  1  a/small  h",
      "  2  a/large  h",
      "  3  b/large  h",
      "Model: ",
    ].join("\n"),
  )
})

test("the end of the input, a failure of it and an abort leave a question", async () => {
  const ended = prompted()
  ended.input.end()
  expect(await askLine("Folder:", ended.prompts)).toBe(left)

  const lost = prompted()
  const asked = askLine("Folder:", lost.prompts)
  lost.input.destroy(new Error("EIO"))
  expect(await asked).toBe(left)

  const stop = new AbortController()
  const stopped = prompted(stop.signal)
  const waiting = askLine("Folder:", stopped.prompts)
  stop.abort()
  expect(await waiting).toBe(left)
  expect(stopped.output.text()).toBe("Folder: \n")
})
