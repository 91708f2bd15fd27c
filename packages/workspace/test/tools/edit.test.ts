import { expect, test } from "vitest"
import { editTool } from "../../src/tools/edit.ts"
import { knowing } from "../support/known.ts"
import { openProject } from "../support/project.ts"

const sha = "0".repeat(64)
const input = { path: "a.ts", old_text: "one", new_text: "two" }

test("an edit carries the hash of the last read", () => {
  expect(editTool.plan(input, knowing({ "a.ts": sha }))).toEqual({
    action: "edit_file",
    input: { ...input, expected: sha },
  })
})

test.each([knowing({}), knowing({ "a.ts": "absent" })])(
  "an edit of a file that was not read is refused as data, without an action",
  known => {
    const planned = editTool.plan(input, known)
    expect(planned).toEqual({
      refused: {
        error: "not_read",
        path: "a.ts",
        message:
          "a.ts was not read in this conversation; nothing was changed. Read it first, by this path.",
      },
    })
    if (!("refused" in planned)) return
    expect(JSON.parse(editTool.present(input, planned.refused))).toEqual(planned.refused)
  },
)

test("an edit after someone else's is a conflict that says so", async () => {
  const project = await openProject({ "a.ts": "one" })
  const result = await project.run("edit_file", { ...input, expected: sha })
  expect(JSON.parse(editTool.present(input, result))).toEqual({
    error: "conflict",
    path: "a.ts",
    message: "a.ts changed since you read it; nothing was changed. Read it first, then try again.",
  })
})

test("what was edited is one line; errors come with what helps", async () => {
  const project = await openProject({ "a.ts": "zero\none\n" })
  expect(editTool.present(input, await project.run("edit_file", input))).toBe(
    "edited a.ts at line 2",
  )
  const again = JSON.parse(editTool.present(input, await project.run("edit_file", input)))
  expect(again).toMatchObject({ error: "no_match", path: "a.ts" })
})
