import { expect, test } from "vitest"
import { exitOfTurn } from "../src/exit-codes.ts"
import { answered, failed, interrupted, stopped, unverified } from "./support/turns.ts"

test("each ending has its exit code, and only an answer that nothing contradicts has 0", () => {
  const contained = { ...failed.ending, failure: { ...failedFailure(), exit: 4 } }
  const turns = [
    answered,
    unverified,
    stopped,
    interrupted,
    failed,
    { ...failed, ending: contained },
  ]
  expect(turns.map(exitOfTurn)).toEqual([0, 5, 3, 1, 1, 4])
})

function failedFailure() {
  if (failed.ending.status !== "failed") throw new Error("the recorded turn did not fail")
  return failed.ending.failure
}
