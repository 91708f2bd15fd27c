import { expect, test } from "vitest"
import { actionNamed, openProject, type TestProject } from "../support/project.ts"

const idOf = ({ id }: { id?: unknown }) => String(id)

/** Looks until the process is no longer running. */
async function ended(project: TestProject, id: string) {
  for (;;) {
    const state = await project.run("process_status", { id })
    if (state.status !== "running") return state
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

test("a process is started and runs on, is looked at, and is ended", async () => {
  const project = await openProject()
  const started = await project.run("start_process", { command: "echo up; sleep 600" })
  expect(started).toMatchObject({ status: "running", exit_code: null, ready: null })

  const id = idOf(started)
  expect(started.output_id).toBe(`output:${id}`)
  expect(await project.run("list_processes", {})).toMatchObject({
    processes: [{ id, status: "running", command: "echo up; sleep 600", exit_code: null }],
  })
  expect(await project.preview("cancel_process", { id })).toEqual({
    preview: { format: "text", text: `end ${id}: echo up; sleep 600` },
    basis: null,
  })

  const cancelled = await project.run("cancel_process", { id })
  expect(cancelled).toMatchObject({ id, status: "cancelled", signal: "SIGTERM", exit_code: null })
  expect(await project.run("process_status", { id: `output:${id}` })).toEqual(cancelled)
  expect(await project.run("cancel_process", { id })).toEqual(cancelled)
})

test("it is ready when a line of its output matches, not before", async () => {
  const project = await openProject()
  const command = "echo wait; sleep 0.3; echo 'listening on 8080'; sleep 600"
  const started = await project.run("start_process", { command, ready: "^listening on \\d+$" })
  expect(started).toMatchObject({
    status: "running",
    ready: true,
    output: "wait\nlistening on 8080\n",
  })
})

test("it is ready when it listens on the port, and another program's server there does not count", async () => {
  const project = await openProject()
  const port = 20_000 + (process.pid % 20_000)
  const server = `require("net").createServer().listen(${port}, "127.0.0.1")`
  const command = [process.execPath, "-e", `setTimeout(() => { ${server} }, 300)`]
  const other = await project.run("start_process", {
    command: "sleep 600",
    ready: port,
    ready_timeout: 0.3,
  })
  expect(other).toMatchObject({ status: "running", ready: false })
  const started = await project.run("start_process", { command, ready: port })
  expect(started).toMatchObject({ status: "running", ready: true })

  const elsewhere = await openProject()
  const waiting = { command: "sleep 600", ready: port, ready_timeout: 0.3 }
  expect(await elsewhere.run("start_process", waiting)).toMatchObject({ ready: false })
})

test("one that ends before it is ready says how, at once", async () => {
  const project = await openProject()
  const started = await project.run("start_process", {
    command: "echo no config >&2; exit 3",
    ready: "listening",
  })
  expect(started).toMatchObject({
    message: "It ended before it was ready.",
    status: "exited",
    exit_code: 3,
    ready: false,
    output: "no config\n",
  })
})

test("one that is not ready in time runs on, and a pattern that never ends does not hold it up", async () => {
  const project = await openProject()
  const late = await project.run("start_process", {
    command: "sleep 600",
    ready: "up",
    ready_timeout: 0.2,
  })
  expect(late).toMatchObject({
    message: "It was not ready in time and runs on. Look at it with process_status.",
    status: "running",
    ready: false,
  })

  const slow = await project.run("start_process", {
    command: `echo ${"a".repeat(40)}; sleep 600`,
    ready: "^(a+)+$x",
  })
  expect(slow).toMatchObject({ status: "running", ready: false })
  expect(String(slow.message)).toContain("takes too long")
})

test.each([
  [{ ready: "(" }, "invalid_pattern"],
  [{ ready: "x", ready_timeout: 0 }, "invalid_timeout"],
  [{ timeout: 3_601 }, "invalid_timeout"],
  [{ cwd: "gone" }, "not_found"],
])("with %j nothing is started: %s", async (input, error) => {
  const project = await openProject()
  const result = await project.run("start_process", { command: "touch ran", ...input })
  expect(result).toMatchObject({ error })
  expect(await project.run("list_processes", {})).toEqual({ processes: [] })
})

test("a process has a deadline only if it was given one", async () => {
  const project = await openProject()
  const started = await project.run("start_process", { command: "sleep 600", timeout: 0.2 })
  expect(await ended(project, idOf(started))).toMatchObject({ status: "timeout" })
})

test("output is read while the process runs, and to its end", async () => {
  const project = await openProject()
  const command = "echo one; until [ -e go ]; do sleep 0.05; done; echo two"
  const started = await project.run("start_process", { command, ready: "one" })
  const id = idOf(started)

  const first = await project.run("read_output", { id })
  expect(first).toEqual({
    id,
    text: "one\n",
    bytes: 4,
    offset: 0,
    next_offset: 4,
    size: 4,
    status: "running",
  })
  expect(await project.run("read_output", { id, offset: 4 })).toMatchObject({
    text: "",
    next_offset: 4,
  })
  expect(await project.run("read_file", { path: `output:${id}` })).toMatchObject({
    text: "one\n",
    status: "running",
  })

  project.write("go", "")
  expect(await ended(project, id)).toMatchObject({ status: "exited", exit_code: 0 })
  expect(await project.run("read_output", { id, offset: 4 })).toMatchObject({
    text: "two\n",
    next_offset: null,
    status: "exited",
  })
  expect(await project.run("read_output", { id, limit: 64_001 })).toMatchObject({
    error: "invalid_limit",
  })
})

test("the seventeenth process is refused as data, and a place is free when one has ended", async () => {
  const project = await openProject()
  const started = []
  for (let count = 0; count < 16; count += 1) {
    started.push(await project.run("start_process", { command: "sleep 600" }))
  }
  expect(started.map(({ status }) => status)).toEqual(Array(16).fill("running"))
  for (const action of ["start_process", "run_command"]) {
    expect(await project.run(action, { command: "true" })).toMatchObject({
      error: "too_many_processes",
      status: "not_started",
    })
  }
  await project.run("cancel_process", { id: idOf(started[0] ?? {}) })
  expect(await project.run("run_command", { command: "true" })).toMatchObject({ exit_code: 0 })
})

test.each(["process_status", "cancel_process", "read_output"])(
  "%s of a process that is not there is an error as data",
  async action => {
    const project = await openProject()
    for (const id of ["1f3c09ab", "../../etc", "output:zz"]) {
      expect(await project.run(action, { id })).toMatchObject({ error: "not_found" })
    }
  },
)

test("a person is shown what would run on, and people a line of what came of it", async () => {
  const project = await openProject()
  const input = { command: "npm run dev", ready: 3_000 }
  const { preview } = await project.preview("start_process", input)
  expect(preview.text.split("\n")[0]).toBe("# sh · cwd . · runs on")
  expect(preview.command?.timeout_seconds).toBeNull()
  const bounded = (await project.preview("start_process", { ...input, timeout: 9 })).preview
  expect(bounded.text.split("\n")[0]).toBe("# sh · cwd . · runs on, timeout 9 s")
  const result = { status: "running", ready: true, output_id: "output:1f3c09ab" }
  expect(actionNamed("start_process").summarise?.(input, result)).toBe(
    "start npm run dev · running · ready · output:1f3c09ab",
  )
})
