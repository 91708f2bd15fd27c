import { expect, test } from "vitest"
import { answerPrinter } from "../../src/printers/answer.ts"
import { capture } from "../support/capture.ts"
import { fixedByProgram } from "../support/fixed-by-program.ts"
import { recorded } from "../support/recorded.ts"
import { answered, interrupted, stopped, unverified } from "../support/turns.ts"

async function printed(turn = answered, output = capture()) {
  const printer = answerPrinter(output)
  for (const event of recorded(fixedByProgram)) printer.event(event)
  await printer.ended(turn, "0123456789ab", async () => null)
  return output.text()
}

test("the answer stands alone, also when its verification failed", async () => {
  expect(await printed()).toBe("It is fixed.\n")
  expect(await printed(unverified)).toBe("It is fixed.\n")
})

test("without an answer nothing is printed", async () => {
  expect(await printed(stopped)).toBe("")
  expect(await printed({ ...interrupted, answer: "half of it" })).toBe("")
})

test("a pipe gets the answer as it is, a terminal gets its control characters shown", async () => {
  const turn = { ...answered, answer: "a\u001b[2Jb" }
  expect(await printed(turn)).toBe("a\u001b[2Jb\n")
  expect(await printed(turn, capture({ isTTY: true }))).toBe("a^[[2Jb\n")
})
