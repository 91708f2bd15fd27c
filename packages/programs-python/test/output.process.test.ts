import { afterAll, beforeAll, expect, test } from "vitest"
import { snapshotCache, startPython, type TestSession } from "./support/python.ts"

const limit = 1_048_576
let python: TestSession

beforeAll(async () => {
  python = await startPython(snapshotCache)
  await python.run("kept = 1")
})
afterAll(async () => {
  await python.session.dispose()
})

test("output of exactly the limit is whole and the program goes on", async () => {
  const { end, stdout } = await python.run(`import sys\nsys.stdout.write('é' * ${limit})\nx = 1`)
  expect([end.status, end.outputCharacters, stdout.length]).toEqual(["ok", limit, limit])
})

test.each([
  ["in one piece", `print('x' * ${limit + 1}, end='')`],
  ["in an endless loop", "while True: print('x' * 100)"],
  ["one character at a time", "while True: print('x', end='')"],
  ["on both streams", "import sys\nwhile True: print('x'); print('x', file=sys.stderr)"],
  [
    "by a program that catches what it can",
    "while True:\n    try: print('x' * 1000)\n    except Exception: pass",
  ],
])("output beyond the limit is cut exactly there: %s", async (_name, source) => {
  const { end, stdout, stderr } = await python.run(source)
  expect(end).toEqual({
    status: "output_limit",
    exitCode: null,
    error: "The output reached the limit of 1,048,576 characters.",
    calls: 0,
    outputCharacters: limit,
    elapsedMs: expect.any(Number),
    variablesKept: true,
  })
  expect(stdout.length + stderr.length).toBe(limit)
})

test("a program that goes on after the limit is killed", async () => {
  const other = await startPython(snapshotCache, { program_output_characters: 100 })
  try {
    const { end, stdout } = await other.run(
      "while True:\n    try: print('x' * 1000)\n    except BaseException: pass",
    )
    expect([end.status, end.variablesKept, stdout]).toEqual(["killed", false, "x".repeat(100)])
    expect(end.error).toBe("It printed more than it may and did not end.")
  } finally {
    await other.session.dispose()
  }
})

test("a character outside of the basic plane counts once", async () => {
  const { end, stdout } = await python.run("print('🎉' * 3, end='')")
  expect([end.outputCharacters, stdout]).toEqual([3, "🎉🎉🎉"])
})

test("output comes while the program still computes", async () => {
  const seen: string[] = []
  const cancel = new AbortController()
  await python.run("print('first')\nwhile True: pass", {
    signal: cancel.signal,
    output(_stream, text) {
      seen.push(text)
      cancel.abort()
    },
  })
  expect(seen).toEqual(["first\n"])
})

test("output comes before a call and before a sleep", async () => {
  const order: string[] = []
  await python.run("import time\nprint('a'); echo(1); print('b'); time.sleep(0.01); print('c')", {
    output: (_stream, text) => order.push(text),
    async call() {
      order.push("call")
      return { ok: {} }
    },
  })
  expect(order).toEqual(["a\n", "call", "b\n", "c\n"])
})

test("bytes written to the buffer of a stream are output as well", async () => {
  const { stdout } = await python.run(
    "import sys\nsys.stdout.buffer.write('é'.encode() + b'\\xff')",
  )
  expect(stdout).toBe("é\ufffd")
})
