import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { isFailure, Limits } from "@harness/protocol"
import { describe, expect, test } from "vitest"
import { python as runtime } from "../src/index.ts"
import { interpretersOf, isRunning } from "./support/processes.ts"
import { snapshotCache, startPython } from "./support/python.ts"

const wait = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** Resolves when it holds; a hang is left to the test's own limit. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await wait(20)
}

describe("an interpreter", () => {
  test("that is killed from outside during a program is replaced, and the end says so", async () => {
    const python = await startPython(snapshotCache)
    try {
      await python.run("kept = 1")
      const { end } = await python.run("print('started', flush=True)\nwhile True: pass", {
        output() {
          for (const pid of interpretersOf(process.pid)) process.kill(pid, "SIGKILL")
        },
      })
      expect(end).toMatchObject({
        status: "died",
        error: "The interpreter ended by SIGKILL.",
        variablesKept: false,
      })
      expect((await python.run("print('kept' in globals())")).stdout).toBe("False\n")
    } finally {
      await python.session.dispose()
    }
  })

  test("that is killed between two programs is missed by the next one, which is not run", async () => {
    const python = await startPython(snapshotCache)
    try {
      await python.run("kept = 1")
      const [pid = 0] = interpretersOf(process.pid)
      process.kill(pid, "SIGKILL")
      await until(() => !isRunning(pid))

      const { end, stdout } = await python.run("print(kept)")
      expect([end.status, end.variablesKept, stdout]).toEqual(["died", false, ""])
      expect((await python.run("print('kept' in globals())")).stdout).toBe("False\n")
    } finally {
      await python.session.dispose()
    }
  })

  test.each(["import os; os._exit(3)", "import os; os.abort()"])(
    "that ends itself by %s is replaced",
    async source => {
      const python = await startPython(snapshotCache)
      try {
        const { end } = await python.run(source)
        expect([end.status, end.variablesKept]).toEqual(["died", false])
        expect((await python.run("print(1)")).stdout).toBe("1\n")
      } finally {
        await python.session.dispose()
      }
    },
  )

  test("has no spare beside it until one may be needed", async () => {
    const python = await startPython(snapshotCache)
    try {
      await python.run("1")
      await python.run("1 / 0")
      expect(interpretersOf(process.pid)).toHaveLength(1)

      const cancel = new AbortController()
      await python.run("print('started', flush=True)\nwhile True: pass", {
        signal: cancel.signal,
        output: () => cancel.abort(),
      })
      expect(interpretersOf(process.pid)).toHaveLength(2)
    } finally {
      await python.session.dispose()
    }
    expect(interpretersOf(process.pid)).toEqual([])
  })

  test.each([
    ["computes", "while True: pass"],
    [
      "swallows what it can",
      "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    ],
    ["waits for a call", "echo(1)"],
    ["sleeps", "import time\ntime.sleep(600)"],
  ])("ends with the process that started it while it %s", async (_name, source) => {
    const parent = spawn(
      process.execPath,
      [
        "--conditions=@harness/source",
        fileURLToPath(new URL("./support/parent.ts", import.meta.url)),
      ],
      { env: { CACHE: snapshotCache, SOURCE: source }, stdio: ["ignore", "pipe", "inherit"] },
    )
    await new Promise(resolve => parent.stdout.once("data", resolve))
    const children = interpretersOf(parent.pid ?? 0)
    expect(children).toHaveLength(1)

    parent.kill("SIGKILL")
    await until(() => !children.some(isRunning))
  })
})

describe("a session", () => {
  test("runs its programs one at a time, in the order in which they came", async () => {
    const python = await startPython(snapshotCache)
    try {
      const ends = await Promise.all([
        python.run("import time\nseen = ['a']\ntime.sleep(0.05)\nseen.append('b')"),
        python.run("seen.append('c')"),
        python.run("print(seen)"),
      ])
      expect(ends[2]?.stdout).toBe("['a', 'b', 'c']\n")
    } finally {
      await python.session.dispose()
    }
  })

  test("shares nothing with another one that runs beside it", async () => {
    const sessions = await Promise.all([1, 2, 3].map(() => startPython(snapshotCache)))
    try {
      await Promise.all(sessions.map((python, index) => python.run(`mine = ${index}`)))
      const told = await Promise.all(sessions.map(python => python.run("print(mine)")))
      expect(told.map(({ stdout }) => stdout)).toEqual(["0\n", "1\n", "2\n"])
    } finally {
      await Promise.all(sessions.map(({ session }) => session.dispose()))
    }
  })

  test("that is closed ends its program, starts no other, and may be closed twice", async () => {
    const python = await startPython(snapshotCache)
    const running = python.run("print('started', flush=True)\nwhile True: pass", {
      output: () => void python.session.dispose(),
    })
    const { end } = await running
    await python.session.dispose()
    expect([end.status, end.error, end.variablesKept]).toEqual([
      "killed",
      "The session was closed.",
      false,
    ])
    expect((await python.run("print(1)")).end.error).toBe("The session was closed.")
    expect(interpretersOf(process.pid)).toEqual([])
  })

  test("that cannot have its folder fails with what to do", async () => {
    const file = fileURLToPath(import.meta.url)
    const started = runtime.start({ functions: [], limits: Limits.parse({}), cacheFolder: file })
    const error = await started.catch((error: unknown) => error)
    expect(isFailure(error, "program_runtime_failed")).toBe(true)
  })
})
