import { PassThrough } from "node:stream"
import { expect, test } from "vitest"
import { confirm } from "../src/confirm.ts"
import { capture } from "./support/capture.ts"

function asked(signal = new AbortController().signal) {
  const input = new PassThrough()
  const stderr = capture()
  const stdin = { isTTY: true, open: () => input }
  return { input, stderr, answer: confirm({ question: "Install it?", stdin, stderr, signal }) }
}

test.for([
  ["y\n", true],
  [" YES \n", true],
  ["\n", false],
  ["n\n", false],
  ["yep\n", false],
] as const)("%j means %s", async ([typed, meant]) => {
  const { input, stderr, answer } = asked()
  input.write(typed)
  expect(await answer).toBe(meant)
  expect(stderr.text()).toBe("Install it? [y/N] ")
})

test("the end of the input means no, and so does one that cannot be read", async () => {
  const { input, answer } = asked()
  input.end()
  expect(await answer).toBe(false)

  const lost = asked()
  lost.input.destroy(new Error("EIO"))
  expect(await lost.answer).toBe(false)
})

test("an abort means no, also one from before", async () => {
  const stop = new AbortController()
  const { answer } = asked(stop.signal)
  stop.abort()
  expect(await answer).toBe(false)
  expect(await asked(stop.signal).answer).toBe(false)
})
