import { PassThrough } from "node:stream"
import { expect, test } from "vitest"
import { readKey } from "../src/key-input.ts"

function reading({ waitMs = 60_000, isTTY = false } = {}) {
  const pipe = new PassThrough()
  const controller = new AbortController()
  const said: string[] = []
  const input = readKey({
    provider: "anthropic",
    stdin: { isTTY, open: () => pipe },
    stderr: {
      isTTY,
      columns: 80,
      closed: new AbortController().signal,
      write: text => void said.push(text),
    },
    signal: controller.signal,
    waitMs,
  })
  return { pipe, input, said, controller }
}

test.each([
  [["sk-1\n"], "sk-1\n"],
  [["sk", "-1", "\n"], "sk-1\n"],
  [["\n\n sk-1\r\n"], "\n\n sk-1\r\n"],
  [["sk-1\nmore\n"], "sk-1\nmore\n"],
])("of a pipe that stays open the chunks %j are read up to a line", async (chunks, text) => {
  const { pipe, input, said } = reading()
  for (const chunk of chunks) pipe.write(chunk)

  expect(await input).toEqual({ status: "read", text })
  expect(said).toEqual([])
})

test.each([
  [["sk-1"], "sk-1"],
  [[], ""],
])("of a pipe that ends the chunks %j are read whole", async (chunks, text) => {
  const { pipe, input } = reading()
  for (const chunk of chunks) pipe.write(chunk)
  pipe.end()

  expect(await input).toEqual({ status: "read", text })
})

test("a pipe without a line is not read for ever", async () => {
  const { pipe, input } = reading()
  pipe.write("k".repeat(70_000))

  expect(await input).toEqual({ status: "read", text: "k".repeat(70_000) })
})

test("an idle pipe is given up", async () => {
  const { input } = reading({ waitMs: 20 })

  expect(await input).toEqual({ status: "silent" })
})

test.each([true, false])("an abort ends it (at a terminal: %s)", async isTTY => {
  const { pipe, input, controller } = reading({ isTTY })
  pipe.write("half a k")
  controller.abort()

  expect(await input).toEqual({ status: "interrupted" })
})

test.each([
  ["sk-1\r", { status: "read", text: "sk-1" }],
  ["sk-x\u007f1\r", { status: "read", text: "sk-1" }],
  ["\u001b[200~sk-1\u001b[201~\r", { status: "read", text: "sk-1" }],
  ["sk-1\u0003", { status: "interrupted" }],
  ["\u0004", { status: "read", text: "" }],
])("at a terminal %j is %j, and none of it is shown", async (typed, expected) => {
  const { pipe, input, said } = reading({ isTTY: true })
  pipe.write(typed)

  expect(await input).toEqual(expected)
  expect(said).toEqual(["Key for anthropic (it is not shown): ", "\n"])
})
