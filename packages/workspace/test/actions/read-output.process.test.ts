import { expect, test } from "vitest"
import { openProject } from "../support/project.ts"

test("an output is paged through by its name, and need not be UTF-8", async () => {
  const project = await openProject()
  const command = "printf 'one\\ntwo\\n\\351\\n'"
  const { output_id: path = "" } = await project.run("run_command", { command })

  expect(await project.run("read_file", { path })).toEqual({
    path,
    text: "one\ntwo\n\uFFFD\n",
    bytes: 10,
    offset: 0,
    next_offset: null,
    truncated: false,
    size: 10,
  })
  expect(await project.run("read_file", { path, line: 2, lines: 1 })).toMatchObject({
    text: "two\n",
    first_line: 2,
    last_line: 2,
    total_lines: 3,
  })
})

test("an output that does not exist is named", async () => {
  const project = await openProject()
  for (const line of [null, 1]) {
    expect(await project.run("read_file", { path: "output:nothing", line })).toMatchObject({
      error: "not_found",
      path: "output:nothing",
    })
  }
})
