import type { Key } from "ink"
import { expect, test } from "vitest"
import { keysOf } from "../../../src/terminal/input/keys.ts"

const noKey: Key = {
  upArrow: false,
  downArrow: false,
  leftArrow: false,
  rightArrow: false,
  pageDown: false,
  pageUp: false,
  home: false,
  end: false,
  return: false,
  escape: false,
  ctrl: false,
  shift: false,
  tab: false,
  backspace: false,
  delete: false,
  meta: false,
  super: false,
  hyper: false,
  capsLock: false,
  numLock: false,
}

test("a line that comes with its Enter in one event is typed and sent", () => {
  expect(keysOf("hello\r", noKey)).toEqual([{ type: "type", text: "hello" }, { type: "enter" }])
})

test("several lines in one event were pasted by a terminal that does not mark it", () => {
  expect(keysOf("one\rtwo\r", noKey)).toEqual([{ type: "paste", text: "one\rtwo\r" }])
})

test("Alt-Enter, Shift-Enter and Ctrl-J make a new line", () => {
  const newline = [{ type: "newline" }]
  expect(keysOf("\r", { ...noKey, return: true, meta: true })).toEqual(newline)
  expect(keysOf("\r", { ...noKey, return: true, shift: true })).toEqual(newline)
  expect(keysOf("[27;2;13~", noKey)).toEqual(newline)
  expect(keysOf("\n", noKey)).toEqual(newline)
})

test("a key that Ink does not know types nothing", () => {
  expect(keysOf("[57;5;1~", noKey)).toEqual([])
  expect(keysOf("q", { ...noKey, ctrl: true })).toEqual([])
})

test("a control key in the middle of letters is that key", () => {
  expect(keysOf("abc\u0001x", noKey)).toEqual([
    { type: "type", text: "abc" },
    { type: "move", to: "line_start" },
    { type: "type", text: "x" },
  ])
})
