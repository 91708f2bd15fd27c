import { expect, test } from "vitest"
import { argvOf } from "../../src/processes/argv.ts"

test("an argv is started as it is, on every system", () => {
  expect(argvOf({ argv: ["git", "status"] }, "linux")).toEqual(["git", "status"])
  expect(argvOf({ argv: ["git", "status"] }, "win32")).toEqual(["git", "status"])
})

test("a line goes to the shell that was named, else to the system's own", () => {
  const shell = "echo a | sort"

  expect(argvOf({ shell, shellPath: "bash" }, "win32")).toEqual(["bash", "-c", shell])
  expect(argvOf({ shell }, "linux")).toEqual(["/bin/sh", "-c", shell])
  expect(argvOf({ shell }, "darwin")).toEqual(["/bin/sh", "-c", shell])
  expect(argvOf({ shell }, "win32")).toEqual([
    "powershell.exe",
    "-NoProfile",
    "-NonInteractive",
    "-Command",
    shell,
  ])
})

test("neither an argv nor a line, and both, start nothing", () => {
  expect(argvOf({}, "linux")).toBeUndefined()
  expect(argvOf({ argv: [] }, "linux")).toBeUndefined()
  expect(argvOf({ argv: ["true"], shell: "true" }, "linux")).toBeUndefined()
})
