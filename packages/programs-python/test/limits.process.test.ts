import { describe, expect, test } from "vitest"
import { type RunOptions, snapshotCache, startPython } from "./support/python.ts"

const wait = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** A call that takes its time. */
const slowly =
  (ms: number): NonNullable<RunOptions["call"]> =>
  async () => {
    await wait(ms)
    return { ok: {} }
  }

describe("a program's own time", () => {
  test("ends an endless loop where it is, and its variables are kept", async () => {
    const python = await startPython(snapshotCache, { program_seconds: 1.5 })
    try {
      const { end, stdout } = await python.run(
        "n = 1\ntry:\n    while True:\n        n += 1\nfinally:\n    print('cleaned up')",
      )
      expect([end.status, end.variablesKept, stdout]).toEqual(["interrupted", true, "cleaned up\n"])
      expect(end.error).toMatch(
        /^The program used up its 1.5 s of own time \(program_seconds\)\.\nTraceback.*n \+= 1.*KeyboardInterrupt$/s,
      )
      expect((await python.run("print(n > 1)")).stdout).toBe("True\n")
    } finally {
      await python.session.dispose()
    }
  })

  test("stands still while a call is open", async () => {
    const python = await startPython(snapshotCache, { program_seconds: 1.5 })
    try {
      await python.run("1")
      const { end } = await python.run("for _ in range(3): echo(1)", { call: slowly(700) })
      expect([end.status, end.calls]).toEqual(["ok", 3])
    } finally {
      await python.session.dispose()
    }
  })

  test.each([
    ["time.sleep", "import time\ntime.sleep(60)"],
    ["asyncio.sleep", "import asyncio\nawait asyncio.sleep(60)"],
    ["a regular expression", "import re\nre.match('(a+)+$', 'a' * 40 + 'b')"],
    ["a large power", "x = 3 ** 10 ** 8"],
  ])("ends %s", async (_name, source) => {
    const python = await startPython(snapshotCache, { program_seconds: 1.5 })
    try {
      const { end } = await python.run(source)
      expect(end).toMatchObject({
        status: "interrupted",
        error: expect.stringContaining("(program_seconds)"),
        variablesKept: true,
      })
    } finally {
      await python.session.dispose()
    }
  })

  test.each([
    [
      "swallows every interrupt",
      "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    ],
    ["is one long call of C", "x = [0] * 30_000_000\nwhile True: -1 in x"],
  ])(
    "kills a program that %s, and the next one starts without variables",
    async (_name, source) => {
      const python = await startPython(snapshotCache, { program_seconds: 1.5 })
      try {
        await python.run("kept = 1")
        const { end } = await python.run(
          `import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n${source}`,
        )
        expect(end).toMatchObject({ status: "killed", variablesKept: false, exitCode: null })
        expect(end.error).toBe(
          "The program used up its 1.5 s of own time (program_seconds). It did not stop when asked to.",
        )
        expect((await python.run("print('kept' in globals())")).stdout).toBe("False\n")
      } finally {
        await python.session.dispose()
      }
    },
  )
})

describe("a program's time in all", () => {
  test("goes on while a call is open", async () => {
    const python = await startPython(snapshotCache, { program_total_seconds: 1.5 })
    try {
      const { end } = await python.run("while True: echo(1)", { call: slowly(200) })
      expect([end.status, end.variablesKept]).toEqual(["interrupted", true])
      expect(end.error).toMatch(/^The program took 1.5 s in all \(program_total_seconds\)\./)
    } finally {
      await python.session.dispose()
    }
  })

  test("stands still while a person is waited for", async () => {
    const python = await startPython(snapshotCache, { program_total_seconds: 1.5 })
    try {
      await python.run("1")
      const { end } = await python.run("for _ in range(3): echo(1)", {
        async call(_name, _input, clock) {
          clock.pause()
          await wait(700)
          clock.resume()
          return { ok: {} }
        },
      })
      expect([end.status, end.calls]).toEqual(["ok", 3])
    } finally {
      await python.session.dispose()
    }
  })
})

describe("a cancelled program", () => {
  test("cleans up and keeps its variables", async () => {
    const python = await startPython(snapshotCache)
    try {
      const cancel = new AbortController()
      const { end, stdout } = await python.run(
        "n = 7\nprint('started', flush=True)\ntry:\n    while True: pass\nfinally:\n    print('cleaned up')",
        { signal: cancel.signal, output: () => cancel.abort() },
      )
      expect([end.status, end.variablesKept]).toEqual(["interrupted", true])
      expect(end.error).toMatch(/^The program was cancelled\.\nTraceback/)
      expect(stdout).toBe("started\ncleaned up\n")
      expect((await python.run("print(n)")).stdout).toBe("7\n")
    } finally {
      await python.session.dispose()
    }
  })

  test("ends only after the call that was open has been answered", async () => {
    const python = await startPython(snapshotCache)
    try {
      const cancel = new AbortController()
      const order: string[] = []
      const { end } = await python.run("echo(1)\nprint('not reached')", {
        signal: cancel.signal,
        async call() {
          cancel.abort()
          await wait(800)
          order.push("answered")
          return { ok: {} }
        },
      })
      order.push("ended")
      expect([end.status, end.calls, order]).toEqual(["interrupted", 1, ["answered", "ended"]])
    } finally {
      await python.session.dispose()
    }
  })

  test("that was cancelled before it began does not run", async () => {
    const python = await startPython(snapshotCache)
    try {
      const { end, stdout } = await python.run("print('ran')", { signal: AbortSignal.abort() })
      expect([end.status, end.variablesKept, stdout]).toEqual(["interrupted", true, ""])
    } finally {
      await python.session.dispose()
    }
  })
})

describe("memory", () => {
  test("beyond the cap is a MemoryError, and the interpreter goes on", async () => {
    const python = await startPython(snapshotCache, { program_memory_bytes: 128 * 1_048_576 })
    try {
      const { end } = await python.run("kept = 1\nbig = 'a' * 10 ** 9")
      expect([end.status, end.variablesKept]).toEqual(["error", true])
      expect(end.error).toContain("MemoryError")
      const grown = await python.run("x = []\nwhile True: x.append('y' * 1_000_000 + str(len(x)))")
      expect([grown.end.status, grown.end.variablesKept]).toEqual(["error", true])
      expect((await python.run("del x\nprint(kept)")).stdout).toBe("1\n")
    } finally {
      await python.session.dispose()
    }
  })

  test("outside of Python's ends the process", async () => {
    const python = await startPython(snapshotCache, { program_memory_bytes: 64 * 1_048_576 })
    try {
      const { end } = await python.run(
        "from pyodide.ffi import to_js\nkept = []\nblock = b'x' * 10_000_000\nwhile True: kept.append(to_js(block))",
      )
      expect(end.variablesKept).toBe(false)
      expect(end.status).toMatch(/^(killed|died)$/)
      expect((await python.run("print(1)")).stdout).toBe("1\n")
    } finally {
      await python.session.dispose()
    }
  })
})
