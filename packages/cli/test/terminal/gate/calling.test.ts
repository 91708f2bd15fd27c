import { expect, test } from "vitest"
import { callOver } from "../../../src/terminal/gate/calling.ts"

test("a person is called by the bell, by a notice where they want one, or not at all", () => {
  const title = "run\u001b]0;x\u0007\nit"

  expect(callOver({}, title)).toBe("\u0007")
  expect(callOver({ HARNESS_BELL: "off" }, title)).toBe("")
  expect(callOver({ HARNESS_BELL: "notice" }, title)).toBe(
    "\u001b]9;harness asks: run^[]0;x^G ⏎ it\u0007\u0007",
  )
  expect(callOver({ HARNESS_BELL: "notice", TMUX: "/tmp/tmux" }, "it")).toBe(
    "\u001bPtmux;\u001b\u001b]9;harness asks: it\u0007\u001b\\\u0007",
  )
})
