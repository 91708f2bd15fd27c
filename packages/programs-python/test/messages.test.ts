import { expect, test } from "vitest"
import { fromChild, fromHost } from "../src/frames.ts"
import { readMessage } from "../src/messages.ts"

const read = (kind: number, body: string | Uint8Array) =>
  readMessage({ kind, body: Buffer.from(body) })

const numbered = (json: string) => Buffer.concat([Buffer.from([7, 0, 0, 0]), Buffer.from(json)])

test("what an interpreter says is read by its kind", () => {
  expect(read(fromChild.ready, "")).toEqual({ type: "ready" })
  expect(read(fromChild.overflow, "")).toEqual({ type: "overflow" })
  expect(read(fromChild.output, "\u0002é")).toEqual({ type: "output", stream: "stderr", text: "é" })
  expect(read(fromChild.call, numbered('{"name":"f","args":[1],"kwargs":{"a":null}}'))).toEqual({
    type: "call",
    number: 7,
    name: "f",
    args: [1],
    kwargs: { a: null },
  })
  expect(read(fromChild.end, '{"status":"exit","exit_code":3,"error":null}')).toEqual({
    type: "end",
    end: { status: "exit", exit_code: 3, error: null },
  })
  expect(read(fromChild.failed, '{"cause":"snapshot","reason":"cut off"}')).toEqual({
    type: "failed",
    cause: "snapshot",
    reason: "cut off",
  })
})

test.each([
  ["a kind that does not exist", 0, ""],
  ["a kind of the host's", fromHost.answer, "{}"],
  ["ready with a body", fromChild.ready, "x"],
  ["output on a third stream", fromChild.output, "\u0003x"],
  ["output without a stream", fromChild.output, ""],
  ["a call without a number", fromChild.call, "abc"],
  ["a call that is not JSON", fromChild.call, numbered("{")],
  ["a call without arguments", fromChild.call, numbered('{"name":"f"}')],
  [
    "a call with more than it may have",
    fromChild.call,
    numbered('{"name":"f","args":[],"kwargs":{},"x":1}'),
  ],
  ["an end of an unknown status", fromChild.end, '{"status":"fine","exit_code":null,"error":null}'],
  ["an end that is not JSON", fromChild.end, "ok"],
])("%s is not understood", (_what, kind, body) => {
  expect(read(kind, body)).toBeNull()
})
