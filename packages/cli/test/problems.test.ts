import { failure } from "@harness/protocol"
import { expect, test } from "vitest"
import { printEnding, printThrown } from "../src/problems.ts"
import { capture } from "./support/capture.ts"
import { answered, failed, interrupted, stopped, unverified } from "./support/turns.ts"

test("a failure is told by its code, its sentence and the next step", async () => {
  const stderr = capture()
  const exit = await printThrown(failure("folder_missing", { folder: "/x" }), { stderr, env: {} })

  expect({ exit, text: stderr.text() }).toEqual({
    exit: 2,
    text: "error folder_missing: The folder /x does not exist.\nnext: Name an existing folder with --folder.\n",
  })
})

test("what was not foreseen is told as such, with its stack only when asked for", async () => {
  const [quiet, debug] = [capture(), capture()]
  const error = new TypeError("x is not a function")
  await printThrown(error, { stderr: quiet, env: {} })
  await printThrown(error, { stderr: debug, env: { HARNESS_DEBUG: "1" } })

  expect(quiet.text()).toMatchInlineSnapshot(`
    "error unexpected: Something went wrong that harness did not foresee: x is not a function.
    next: Please report it with the command that you ran; HARNESS_DEBUG=1 prints the stack.
    "
  `)
  expect(debug.text()).toBe(`${quiet.text()}${error.stack}\n`)
})

test("an ending that is not simply an answer says why", () => {
  const told = [answered, unverified, stopped, interrupted, failed].map(turn => {
    const stderr = capture()
    printEnding(turn, { stderr, env: {} })
    return stderr.text()
  })
  expect(told).toMatchInlineSnapshot(`
    [
      "",
      "verification failed
    ",
      "limit reached (steps): The limit of 200 steps a turn is reached. Spent: 200 steps, 1,234 tokens, 0.12 USD. To go on: harness run --resume c0ffee "go on"
    ",
      "interrupted: SIGINT
    ",
      "error provider_failed: openai-compatible did not answer for m: the stream was cut.
    next: Try again.
    ",
    ]
  `)
})
