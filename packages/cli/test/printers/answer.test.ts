import { expect, test } from "vitest"
import { answerPrinter } from "../../src/printers/answer.ts"
import { capture } from "../support/capture.ts"
import { recorded } from "../support/recorded.ts"
import { fixedByProgram } from "../support/recordings.ts"
import { answered, interrupted, stopped, unverified } from "../support/turns.ts"

function printed(turn = answered, output = capture()) {
  const printer = answerPrinter(output)
  for (const event of recorded(fixedByProgram)) printer.event(event)
  printer.ended(turn, "0123456789ab")
  return output.text()
}

test("the answer stands alone, also when its verification failed", () => {
  expect(printed()).toBe("It is fixed.\n")
  expect(printed(unverified)).toBe("It is fixed.\n")
})

test("without an answer nothing is printed", () => {
  expect(printed(stopped)).toBe("")
  expect(printed({ ...interrupted, answer: "half of it" })).toBe("")
})

test("a pipe gets the answer as it is, a terminal gets its control characters shown", () => {
  const turn = { ...answered, answer: "a\u001b[2Jb" }
  expect(printed(turn)).toBe("a\u001b[2Jb\n")
  expect(printed(turn, capture({ isTTY: true }))).toBe("a^[[2Jb\n")
})
