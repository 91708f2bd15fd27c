import type { ProgramEnd } from "@harness/sdk"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { snapshotCache, startPython, type TestSession } from "./support/python.ts"

let python: TestSession

beforeAll(async () => {
  python = await startPython(snapshotCache)
})
afterAll(async () => {
  await python.session.dispose()
})

function ended(parts: Partial<ProgramEnd>): ProgramEnd {
  return {
    status: "ok",
    exitCode: null,
    error: null,
    calls: 0,
    outputCharacters: 0,
    elapsedMs: expect.any(Number),
    variablesKept: true,
    ...parts,
  }
}

describe("a program ends", () => {
  test("ok at its last line, with both streams told apart", async () => {
    const told = await python.run("import sys\nprint('out')\nprint('err', file=sys.stderr)")
    expect(told).toEqual({ end: ended({ outputCharacters: 8 }), stdout: "out\n", stderr: "err\n" })
  })

  test.each([
    ["import sys; sys.exit(3)", 3],
    ["import sys; sys.exit()", 0],
    ["import sys; sys.exit('no luck')", "no luck"],
    ["raise SystemExit(True)", 1],
    ["exit(4)", 4],
  ])("with the code of %s", async (source, exitCode) => {
    const { end } = await python.run(source)
    expect(end).toEqual(ended({ status: "exit", exitCode }))
  })

  test("with a traceback that shows its own lines and none of ours", async () => {
    const { end } = await python.run("def half(n):\n    return n / 0\n\nhalf(2)")
    expect(end).toEqual(ended({ status: "error", error: expect.any(String) }))
    expect(end.error?.replace(/<program \d+>/g, "<program>")).toBe(
      [
        "Traceback (most recent call last):",
        '  File "<program>", line 4, in <module>',
        "    half(2)",
        "    ~~~~^^^",
        '  File "<program>", line 2, in half',
        "    return n / 0",
        "           ~~^~~",
        "ZeroDivisionError: division by zero",
      ].join("\n"),
    )
  })

  test("with the cause of an error and without our frames in a call that was refused", async () => {
    const { end } = await python.run(
      "try:\n    echo()\nexcept TypeError as error:\n    raise ValueError('again') from error",
    )
    expect(end.error).toContain("TypeError: echo() missing required argument: 'value'")
    expect(end.error).toContain("ValueError: again")
    expect(end.error).not.toContain("<harness>")
  })

  test("with at most 4,000 characters of a traceback, the last ones", async () => {
    const { end } = await python.run("raise ValueError('x' * 10_000 + 'end')")
    expect(end.error).toHaveLength(4_000)
    expect(end.error?.endsWith("xend")).toBe(true)
  })

  test("with the place of a syntax error", async () => {
    const { end } = await python.run("x = 1\ny = = 2")
    expect(end.status).toBe("error")
    expect(end.error).toMatch(/line 2\n {4}y = = 2\n {8}\^\nSyntaxError: invalid syntax$/)
  })

  test("as an error when it raises KeyboardInterrupt by itself", async () => {
    const { end } = await python.run("raise KeyboardInterrupt('mine')")
    expect([end.status, end.variablesKept]).toEqual(["error", true])
    expect(end.error).toContain("KeyboardInterrupt: mine")
  })

  test.each([
    ["import numpy", /ModuleNotFoundError: No module named 'numpy'\n\(Only the standard library/],
    ["open('README.md')", /No such file or directory: 'README.md'\n.*an empty file system/],
    ["input()", /EOFError: nobody types into a program; use run_command\(\[\.\.\.\]\) instead/],
    ["import threading; threading.Thread(target=print).start()", /RuntimeError: .*run_command/],
    ["import zoneinfo; zoneinfo.ZoneInfo('Europe/Berlin')", /no time zone data .*run_command/],
    [
      "import multiprocessing; multiprocessing.Process(target=print).start()",
      /_multiprocessing'\n.*run_command/,
    ],
    ["def f():\n    f()\nf()", /RecursionError/],
  ])("with a hint at the way that works: %s", async (source, hint) => {
    const { end } = await python.run(source)
    expect([end.status, end.variablesKept]).toEqual(["error", true])
    expect(end.error).toMatch(hint)
  })
})

describe("asyncio", () => {
  test("works with a top-level await, gather, sleep and to_thread", async () => {
    const { stdout } = await python.run(`import asyncio
async def double(n):
    await asyncio.sleep(0.01)
    return n * 2
print(await asyncio.gather(double(1), double(2), asyncio.to_thread(len, "abc")))`)
    expect(stdout).toBe("[2, 4, 3]\n")
  })

  test("runs coroutines with asyncio.run", async () => {
    const { stdout } = await python.run(
      "import asyncio\nprint(asyncio.run(asyncio.sleep(0.01, 5)))",
    )
    expect(stdout).toBe("5\n")
  })

  test("says so when it would wait for ever", async () => {
    const { end } = await python.run("import asyncio\nawait asyncio.Event().wait()")
    expect(end.error).toContain("deadlock")
  })
})

describe("the namespace", () => {
  test("keeps variables, functions, classes and imports from program to program", async () => {
    await python.run(
      "import json\nfrom dataclasses import dataclass\nfound = [1]\ndef add(n): found.append(n)",
    )
    await python.run("@dataclass\nclass Point:\n    x: int\nadd(2)")
    const { stdout } = await python.run("print(json.dumps(found), Point(3), __name__)")
    expect(stdout).toBe("[1, 2] Point(x=3) __main__\n")
  })

  test("keeps variables after an error and an exit", async () => {
    await python.run("kept = 1\n1 / 0")
    await python.run("import sys\nkept += 1\nsys.exit(1)")
    expect((await python.run("print(kept)")).stdout).toBe("2\n")
  })

  test("keeps its state through 300 programs", async () => {
    await python.run("count = 0")
    for (let index = 0; index < 300; index += 1) await python.run("count += 1")
    expect((await python.run("print(count)")).stdout).toBe("300\n")
  })

  test("is of Python 3.14, as the notes say", async () => {
    const { stdout } = await python.run("import sys; print(*sys.version_info[:2])")
    expect(stdout).toBe("3 14\n")
  })
})
