import { expect, test } from "vitest"
import { bashTool } from "../../src/tools/bash.ts"
import { readTool } from "../../src/tools/read.ts"
import { knowing } from "../support/known.ts"
import { openProject } from "../support/project.ts"

async function bash(input: { command: string; timeout?: number }) {
  const project = await openProject()
  const planned = bashTool.plan(input, knowing({}))
  if ("refused" in planned) throw new Error("a command is not refused")
  return bashTool.present(input, await project.run(planned.action, planned.input))
}

test("of a command that went well the output is shown and nothing else", async () => {
  expect(await bash({ command: "echo ok-1" })).toBe("ok-1")
  expect(await bash({ command: "true" })).toBe("(no output)")
})

test("bash runs it", async () => {
  expect(await bash({ command: "[[ abc == a* ]] && echo yes" })).toBe("yes")
})

test("another exit code is told with the time it took", async () => {
  expect(await bash({ command: "echo no; exit 3" })).toMatch(/^no\n\[exit 3 · \d+\.\ds\]$/)
})

test("a command that ran out of time is not taken for one that ended", async () => {
  expect(await bash({ command: "sleep 60", timeout: 0.2 })).toMatch(
    /^\(no output\)\n\[timeout · \d+\.\ds\]$/,
  )
})

test("of a long output the end is shown, and where all of it is", async () => {
  const shown = await bash({ command: "seq 1 5000" })
  expect(shown).toMatch(/^\[The end of 23,893 bytes; read output:[\w-]+ for all\.\]\n/)
  expect(shown.endsWith("\n4999\n5000")).toBe(true)
})

test("a reason for the network is handed on", () => {
  const planned = bashTool.plan({ command: "npm ci", network: "to install" }, knowing({}))
  expect(planned).toEqual({
    action: "run_command",
    input: { command: "npm ci", timeout: null, shell: "bash", network: "to install" },
  })
})

test("files that steer others are named when it changed them", async () => {
  expect(await bash({ command: "echo 1 > Makefile" })).toBe(
    "(no output)\n[it changed what steers others: Makefile]",
  )
})

test("what the containment suggests is told after the output", () => {
  const result = { output: "no\n", status: "exited", exit_code: 6, elapsed_seconds: 0.1 }
  expect(bashTool.present({ command: "curl x" }, { ...result, hint: "the network is off" })).toBe(
    "no\n[exit 6 · 0.1s]\n[the network is off]",
  )
})

test("a timeout that cannot be kept is an error as data", async () => {
  expect(JSON.parse(await bash({ command: "true", timeout: 0 }))).toMatchObject({
    error: "invalid_timeout",
    timeout: 0,
  })
})

test("a process in the background is named by its output, which can be read, and is ended by stop", async () => {
  const project = await openProject()
  const call = async (input: { command?: string; background?: boolean; stop?: string }) => {
    const planned = bashTool.plan(input, knowing({}))
    if ("refused" in planned) throw new Error("it is not refused")
    return bashTool.present(input, await project.run(planned.action, planned.input))
  }
  const started = await call({ command: "echo up; sleep 600", background: true })
  expect(started).toMatch(/^\[running as output:[0-9a-f]{8}\]$/)

  const id = started.slice("[running as output:".length, -1)
  const read = { path: `output:${id}` }
  const planned = readTool.plan(read, knowing({}))
  if ("refused" in planned) throw new Error("it is not refused")
  let shown = ""
  while (!shown.includes("up")) {
    await new Promise(resolve => setTimeout(resolve, 20))
    shown = readTool.present(read, await project.run(planned.action, planned.input))
  }
  expect(shown).toBe("1\tup\n[It is running and may print more.]")
  expect(await call({ stop: id })).toMatch(/^up\n\[cancelled · \d+\.\ds\]$/)
})

test("of many files that steer others some are named, and the others counted", () => {
  const result = {
    status: "exited",
    exit_code: 0,
    output: "",
    touched: [".envrc", "package.json"],
    touched_more: 7,
  }
  expect(bashTool.present({ command: "x" }, result)).toBe(
    "(no output)\n[it changed what steers others: .envrc, package.json and 7 more]",
  )
})

test("in a small window the end of the output is shown, from a whole character on, and its name", () => {
  const result = {
    status: "exited",
    exit_code: 0,
    output: `${"é".repeat(600)}\nend\n`,
    output_bytes: 1_205,
    output_id: "output:0123abcd",
    truncated: false,
  }
  const shown = bashTool.present({ command: "x" }, result, { limitBytes: 500 })
  expect(shown).toBe(
    `[The end of 1,205 bytes; read output:0123abcd for all.]\n${"é".repeat(198)}\nend`,
  )
  expect(bashTool.present({ command: "x" }, result, { limitBytes: 5_000 })).toBe(
    `${"é".repeat(600)}\nend`,
  )
})

test("a call without a command is refused, and nothing runs", () => {
  const planned = bashTool.plan({}, knowing({}))
  expect(planned).toMatchObject({ refused: { error: "no_command" } })
})

test("a denial is data", () => {
  expect(bashTool.present({ command: "rm -rf x" }, { status: "denied", by: "user" })).toBe(
    '{"tool":"bash","status":"denied","by":"user"}',
  )
})
